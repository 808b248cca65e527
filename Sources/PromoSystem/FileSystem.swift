package import Glibc

/// The system calls that take paths. Each returns what the kernel does: -1 on failure, with the reason in `errno`.
///
/// Swift passes a path with a final NUL, and keeps it until the call returns.
package enum FileSystem {
    /// open(2).
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        unsafe Glibc.open(path, flags, mode)
    }

    /// mkdir(2).
    package static func makeDirectory(_ path: String, mode: mode_t) -> Int32 {
        unsafe mkdir(path, mode)
    }

    /// chmod(2).
    @discardableResult
    package static func changeMode(of path: String, to mode: mode_t) -> Int32 {
        unsafe chmod(path, mode)
    }

    /// access(2).
    package static func access(_ path: String, _ mode: Int32) -> Int32 {
        unsafe Glibc.access(path, mode)
    }

    /// rename(2).
    package static func rename(_ path: String, to other: String) -> Int32 {
        unsafe Glibc.rename(path, other)
    }

    /// rmdir(2).
    @discardableResult
    package static func removeDirectory(_ path: String) -> Int32 {
        unsafe rmdir(path)
    }

    /// unlink(2).
    @discardableResult
    package static func unlink(_ path: String) -> Int32 {
        unsafe Glibc.unlink(path)
    }
}
