import CLinux
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
    /// - Parameter variables: what is added to the environment of this process.
    package init(
        _ arguments: [String], output: Output, setting variables: [String: String] = [:]
    ) throws(Failure) {
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
        let environment = variables.isEmpty ? nil : ProcessEnvironment().variables.merging(variables) { $1 }
        let pid = Spawn.start(
            arguments[0], arguments, environment: environment?.map { "\($0)=\($1)" }, descriptors: descriptors)
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

/// Starts a program as a child of this process.
package enum Spawn {
    /// Starts a program by posix_spawn(3), with no signal blocked or ignored.
    /// - Parameters:
    ///   - program: its path, or a name without a slash, which is looked up in `PATH`.
    ///   - environment: entries of the form `NAME=value`; nil for those of this process.
    ///   - descriptors: the descriptors that the child gets, each with its number there.
    ///   - last: the number above which all descriptors are closed in the child; nil for those that are closed on exec.
    /// - Returns: the child's process id, or a negative `errno`.
    package static func start(
        _ program: String, _ arguments: [String], environment: [String]? = nil, descriptors: [(Int32, as: Int32)],
        last: Int32? = nil
    ) -> Int32 {
        // The actions and the attributes exist until the program was started, and no call keeps its other arguments.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (own, number) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, own, number) }
        if let last { unsafe promod_add_close_from(&actions, last + 1) }
        // Dispatch's threads block most signals, which a child would inherit.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let problem = unsafe withCStrings(arguments) { argv in
            guard let environment else {
                return unsafe posix_spawnp(&process, program, &actions, &attributes, argv, environ)
            }
            return unsafe withCStrings(environment) { envp in
                unsafe posix_spawnp(&process, program, &actions, &attributes, argv, envp)
            }
        }
        return problem == 0 ? process : -problem
    }

    /// Passes copies with a final NUL, followed by a null, to the body, and frees them when it returns.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}
