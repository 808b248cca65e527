import Glibc
import PromoDaemon

/// The error with which a command ends: its exit code of sysexits.h, and its lines on standard error.
struct CommandFailure: Error {
    private let code: Int32
    private let lines: [String]

    init(_ code: Int32, _ message: String) {
        (self.code, lines) = (code, [message])
    }

    /// The failure for an error; nil for wrong usage, and for an exit code alone.
    init?(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case let failure as StartFailure: (code, lines) = (failure.exitCode.rawValue, [failure.description])
        case let bad as BadConfiguration: (code, lines) = (ExitCode.configuration.rawValue, bad.lines)
        case let unreadable as SystemError: (code, lines) = (66, ["\(unreadable)"])
        default: return nil
        }
    }

    func end() -> Never {
        for line in lines { StandardError.write("promod: \(line)") }
        exit(code)
    }
}
