import Glibc

/// A program that was started beside this one.
package struct Subprocess: Sendable {
    /// Where its output goes.
    package enum Output: Sendable {
        /// To this process's own.
        case inherited
        /// Nowhere, and its input is empty.
        case none
    }

    /// Why it could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let pause = Duration.milliseconds(20)

    private let pid: pid_t

    /// Starts a program, looked for along `PATH` where its name has no slash.
    package init(_ arguments: [String], output: Output) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if output == .none {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        // Dispatch's threads block most signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let result = Self.withCStrings(arguments) { argv in
            posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, environ)
        }
        guard result == 0 else {
            throw Failure(
                description: "cannot start \(arguments[0]): \(String(cString: strerror(result)).lowercased())")
        }
        self.pid = pid
    }

    /// Waits for its end; the exit code, 128 and the number for a signal, nil where it runs on.
    package func wait(until deadline: Deadline = .never) -> Int32? {
        let sleeper = Interruption()
        while true {
            var status: Int32 = 0
            let isOver = waitpid(pid, &status, deadline.isNever ? 0 : WNOHANG)
            if isOver == pid { return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
            if isOver < 0 && errno != EINTR { return nil }
            if deadline.hasPassed { return nil }
            if isOver == 0 { _ = sleeper.wait(until: .after(Self.pause)) }
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
