import Glibc

/// The name of this process's user.
package enum UserName {
    /// The name in the system's list of users; the user's id if the list lacks it.
    package static var current: String {
        // The entry is valid until the next call, and its name ends with a NUL.
        unsafe getpwuid(geteuid()).flatMap { unsafe $0.pointee.pw_name }.map { unsafe String(cString: $0) }
            ?? "\(geteuid())"
    }
}
