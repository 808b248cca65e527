import Glibc
import PromoDaemon

/// Why a command ends: its exit code of sysexits.h, and what it says on standard error.
struct CommandFailure: Error {
    private let code: Int32
    private let lines: [String]

    init(_ code: Int32, _ message: String) {
        (self.code, lines) = (code, [message])
    }

    private init(_ bad: BadConfiguration) {
        (code, lines) = (ExitCode.configuration.rawValue, bad.lines)
    }

    /// The failure that an error is; nil for wrong usage, and for an exit code alone.
    init?(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case let failure as StartFailure: self.init(failure.exitCode.rawValue, failure.description)
        case let bad as BadConfiguration: self.init(bad)
        default: return nil
        }
    }

    func end() -> Never {
        for line in lines { StandardError.write("promod: \(line)") }
        exit(code)
    }
}
