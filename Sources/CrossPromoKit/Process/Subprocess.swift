import Glibc
import PromoProcess

/// A child process that runs a program.
package struct Subprocess: Sendable {
    /// The child's input and output.
    package enum Output: Sendable {
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
        // What is initialised here is destroyed only when the program was started, and each call is done with its other arguments
        // when it returns.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        switch output {
        case .inherited: break
        case .none:
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        case .descriptor(let descriptor, let withErrors):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
            if withErrors { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDERR_FILENO) }
        }
        // Dispatch's threads block most signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let result = unsafe Self.withCStrings(arguments) { argv in
            unsafe posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, environ)
        }
        guard result == 0 else {
            throw Failure(
                description: "cannot start \(arguments[0]): \(String(systemError: result).lowercased())")
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

    /// The most output that is kept, in bytes, which is far more than these programs print.
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

    /// Passes copies that end with a NUL, and after them a null, to the body, and frees them when it returns.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}
