import Glibc

/// A child process that runs a program.
package struct Subprocess: Sendable {
    /// The child's input and output.
    package enum Output: Equatable, Sendable {
        /// Those of this process.
        case inherited
        /// Output is discarded, and the input is empty.
        case none
        /// A descriptor that is both input and output, with or without standard error. This process still has to close it.
        case descriptor(Int32, withErrors: Bool)
    }

    /// The error for a program that could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let pause = Duration.milliseconds(20)

    private let pid: pid_t

    /// Starts a program. If its name has no slash, it is looked up in `PATH`.
    package init(_ arguments: [String], output: Output) throws(Failure) {
        let null = output == .none ? FileSystem.open("/dev/null", O_RDWR | O_CLOEXEC) : -1
        defer { if null >= 0 { close(null) } }
        let descriptors: [(Int32, as: Int32)] =
            switch output {
            case .inherited: []
            case .none: [(null, as: STDIN_FILENO), (null, as: STDOUT_FILENO), (null, as: STDERR_FILENO)]
            case .descriptor(let descriptor, let withErrors):
                [(descriptor, as: STDIN_FILENO), (descriptor, as: STDOUT_FILENO)]
                    + (withErrors ? [(descriptor, as: STDERR_FILENO)] : [])
            }
        let pid = Spawn.start(arguments[0], arguments, descriptors: descriptors)
        guard pid > 0 else {
            throw Failure(description: "cannot start \(arguments[0]): \(String(systemError: -pid).lowercased())")
        }
        self.pid = pid
    }

    /// Waits until the child ends.
    /// - Returns: the exit code, or 128 plus the number of the signal that killed the child; nil if it still runs at the deadline.
    package func wait(until deadline: Deadline = .never) -> Int32? {
        let sleeper = Interruption()
        while true {
            var status: Int32 = 0
            // The kernel writes the status before it returns.
            let isOver = unsafe waitpid(pid, &status, deadline.isNever ? 0 : WNOHANG)
            if isOver == pid { return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
            if isOver < 0 && errno != EINTR { return nil }
            if deadline.hasPassed { return nil }
            if isOver == 0 { _ = sleeper.wait(until: .after(Self.pause)) }
        }
    }

    /// Asks the child to end.
    package func terminate() { kill(pid, SIGTERM) }

    /// The most output that is kept, in bytes, far more than these programs print.
    private static let maximumOutput = 4 << 20

    /// Runs a program to its end with one line as its input.
    /// - Parameter merging: whether standard error is part of the output.
    /// - Returns: the first 4 MiB of the output, and the exit code as ``wait(until:)`` returns it.
    package static func run(
        _ arguments: [String], input: String, merging: Bool = false
    ) throws(Failure) -> (output: [UInt8], code: Int32?) {
        // Unlike a pipe, each socket is both input and output.
        let (ours, theirs) = SocketPair.open()
        defer { close(ours) }
        let line = Array((input + "\n").utf8)
        // The line is shorter than a socket's buffer, so this does not block.
        _ = Descriptor.send(line.span, to: ours)
        shutdown(ours, Int32(SHUT_WR))
        let child: Subprocess
        do {
            defer { close(theirs) }
            child = try Subprocess(arguments, output: .descriptor(theirs, withErrors: merging))
        }
        return (Descriptor.readToEnd(of: ours, keeping: maximumOutput), child.wait())
    }
}
