/// How the daemon ends, in the words of sysexits.h.
package enum ExitCode: Int32, Sendable {
    case success = 0
    /// The operating system refused something that the daemon cannot do without.
    case osError = 71
    /// Another daemon is there already; try later, or ask that one.
    case temporaryFailure = 75
    /// The configuration is broken.
    case configuration = 78
}

/// Why a daemon did not start.
package struct StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let exitCode: ExitCode
    package let description: String

    /// A failure with its exit code and one clear line.
    package init(_ exitCode: ExitCode, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }
}
