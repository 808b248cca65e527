import CLinux

/// Returns memory to the system.
///
/// glibc keeps freed memory because the process may need it soon, but promod needs it only for the next catalog, tomorrow.
enum Memory {
    /// Makes glibc unmap large blocks as soon as they are freed. Call this before there is a second thread.
    static func setUp() {
        promod_set_up_memory()
    }

    /// Returns free memory after something large was freed: a fetch's buffers, or a catalog that was replaced.
    static func giveBack() {
        promod_give_back_memory()
    }
}
