import Glibc
import PromoSystem

/// A system call that failed: the operation, the path and the kernel's reason.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The operation as a verb, such as "read".
    package let operation: String
    package let path: String
    /// The value of `errno`, or one of the numbers below.
    package let number: Int32

    /// The number for a file that is not regular.
    static let notRegular: Int32 = 0
    /// The number for a directory with too many files.
    static let tooManyFiles: Int32 = -1
    /// The number for a file that is not a socket.
    static let notSocket: Int32 = -2
    /// The number for a file of a newer promod.
    static let newer: Int32 = -3

    /// The error of the system call that just failed.
    init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Whether the same call may succeed in a moment, without anybody doing anything about the file.
    var isTemporary: Bool { [EMFILE, ENFILE, ENOMEM, EIO].contains(number) }

    /// The reason in words, the kernel's if it has one.
    package var reason: String {
        switch number {
        case Self.notRegular: "Not a regular file"
        case Self.tooManyFiles: "Too many files in it"
        case Self.notSocket: "Not a socket"
        case Self.newer: "A newer promod has written it"
        default: String(systemError: number)
        }
    }

    package var description: String { "cannot \(operation) \(path): \(reason)" }
}
