import Foundation
package import Glibc
import Synchronization

/// A child process of a test, with its standard output and error in files.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It was killed because it had not ended in time.
        case overdue
    }

    package let pid: pid_t

    /// The processes that it has started and still has, those that have ended included.
    package var children: [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    private let scratch: ScratchDirectory
    /// The child has the other end, so that this one reports a hang-up when the child has ended.
    private let lifeline: Int32
    private let end = Mutex<End?>(nil)

    /// Starts a program.
    /// - Parameters:
    ///   - arguments: the arguments, beginning with the program's path.
    ///   - descriptors: the descriptors that the program inherits, under other numbers.
    package init(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        descriptors: [(own: Int32, theirs: Int32)] = []
    ) throws {
        scratch = try ScratchDirectory()
        var ends: [Int32] = [0, 0]
        // A socket pair rather than a pipe, because it is opened with close-on-exec set; other tests start programs meanwhile.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestFailure("cannot make a socket pair")
        }
        lifeline = ends[0]
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try scratch.write("in", input ?? "")
        posix_spawn_file_actions_addopen(&actions, 0, scratch("in"), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, scratch("out"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, scratch("err"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, ends[1], Self.lifelineNumber)
        for (own, theirs) in descriptors { posix_spawn_file_actions_adddup2(&actions, own, theirs) }

        // The test runner's threads block signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var variables = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        for name in ["LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        variables.merge(Sanitizer.variables) { $1 }
        variables.merge(environment) { $1 }
        var pid: pid_t = 0
        let result = Self.withCStrings(arguments) { argv in
            Self.withCStrings(variables.map { "\($0)=\($1)" }) { envp in
                posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, envp)
            }
        }
        guard result == 0 else {
            throw TestFailure("cannot start \(arguments[0]): \(String(cString: strerror(result)))")
        }
        self.pid = pid
    }

    deinit {
        if end.withLock({ $0 == nil }) {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        close(lifeline)
    }

    /// Above the descriptors that programs under test expect from 3 on.
    private static let lifelineNumber: Int32 = 90

    /// Standard output so far.
    package var standardOutput: String { scratch.read("out") }
    /// Standard error so far.
    package var standardError: String { scratch.read("err") }

    /// Sends a signal.
    package func signal(_ number: Int32) {
        if end.withLock({ $0 == nil }) { kill(pid, number) }
    }

    /// Waits for the child's end, and kills it if it has not ended in time.
    @discardableResult
    package func wait(seconds: Int32 = 30) -> End {
        if let end = wait(milliseconds: seconds * 1000) { return end }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        end.withLock { $0 = .overdue }
        return .overdue
    }

    /// Waits for the child's end; nil if it has not ended in time.
    package func wait(milliseconds: Int32) -> End? {
        if let end = end.withLock({ $0 }) { return end }
        var poller = pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, milliseconds) == 1 else { return nil }
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let result: End = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        end.withLock { $0 = result }
        return result
    }

    /// Runs a program to its end.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> (end: End, output: String, error: String) {
        let child = try ChildProcess(arguments, environment: environment, input: input)
        let end = child.wait(seconds: 60)
        return (end, child.standardOutput, child.standardError)
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
