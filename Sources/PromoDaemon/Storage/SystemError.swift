import Glibc
import PromoProcess

/// A system call that failed: what was tried, on what, and the kernel's reason.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: "read", "replace".
    package let operation: String
    package let path: String
    /// The value of errno; 0 for a file that is not a regular one.
    package let number: Int32

    /// The number for a file that is not a regular one, for which the kernel has none.
    static let notRegular: Int32 = 0

    /// The error of the system call that just failed.
    init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// The kernel's reason in words.
    package var reason: String { number == Self.notRegular ? "Not a regular file" : String(systemError: number) }

    package var description: String { "cannot \(operation) \(path): \(reason)" }
}
