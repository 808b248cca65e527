import Glibc

/// The name of this process's user.
package enum UserName {
    /// The name that the system's list of users has; nil if it has none.
    package static var current: String? {
        // The entry stays until the next call, and its name ends with a NUL.
        unsafe getpwuid(geteuid()).flatMap { unsafe $0.pointee.pw_name }.map { unsafe String(cString: $0) }
    }
}
