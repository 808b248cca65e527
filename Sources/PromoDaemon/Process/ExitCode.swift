/// The daemon's exit codes, from sysexits.h.
package enum ExitCode: Int32, Sendable {
    case success = 0
    /// The operating system refused something that the daemon needs.
    case osError = 71
    /// Another daemon is running, or a directory of promod's own was replaced, and its service manager starts it again.
    case temporaryFailure = 75
    /// The person or the administrator wants no daemon in the background.
    case switchedOff = 77
    /// The configuration is broken.
    case configuration = 78
}

/// Why the daemon did not start.
package struct StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let exitCode: ExitCode
    package let description: String

    /// A failure with its exit code and a one-line description.
    package init(_ exitCode: ExitCode, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }
}
