import CLinux

/// What the process takes from the system and gives back.
///
/// glibc keeps what was freed, for there may be use for it soon; here the next catalog comes tomorrow.
enum Memory {
    /// Has large blocks unmapped as soon as they are freed. To be called before there is a second thread.
    static func setUp() {
        promod_set_up_memory()
    }

    /// Gives back what is free, after something large: a fetch, or a catalog that was replaced.
    static func giveBack() {
        promod_give_back_memory()
    }
}
