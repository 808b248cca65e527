import CLinux
import Glibc
import PromoCore
import PromoSystem
import PromoWire
import Synchronization

/// A connection through a process of its own: promod's own file, started again as ``FetchProcess``. SIGKILL ends it, whatever it waits
/// for.
///
/// The thread that asks reads the answer. Dispatch would wait for many descriptors with one thread, but it frees what it knows of one
/// whose other end is closed while that thread may still use it.
final class FetchChild: OriginConnection {
    private struct State {
        /// The process, until it is known to have ended; no other one may get SIGKILL.
        var process: pid_t?
        /// Why it was killed, or has ended; nil if neither.
        var failure: Failure?
    }

    /// How much longer than its own deadline the process may take to report that.
    private static let grace: Milliseconds = 2000

    /// Locked while a process starts, which takes three more descriptors than the process does later.
    private static let starting = Mutex(())

    private let queries: Int32
    private let answers: Int32
    private let state: Mutex<State>

    /// Starts a process.
    /// - Throws: the failure if the system starts no process, or if it could not read the file of certificates.
    init(for request: OriginRequest) throws(Failure) {
        if let caFile = request.caFile, let cause = TrustedCertificates.problem(in: caFile) {
            throw Failure(.configuration, "The file of certificates \(cause.sentence)")
        }
        let process: pid_t
        (queries, answers, process) = Self.starting.withLock { _ in Self.start(for: request) }
        state = Mutex(State(process: process > 0 ? process : nil))
        guard process > 0 else {
            throw Failure(
                .fetchProcess, "The process that fetches cannot be started: \(String(systemError: -process)).")
        }
    }

    /// - Returns: the descriptors for queries and answers, and the process, or a negative `errno`.
    private static func start(for request: OriginRequest) -> (queries: Int32, answers: Int32, process: pid_t) {
        // Answers come through a pipe, which takes no descriptors: one in a message would be closed here, which can take as long as its
        // other end likes. For the same reason the socket receives nothing.
        let (queries, input) = SocketPair.open()
        var pipes: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        unsafe promod_pipe(&pipes)
        let null = FileSystem.open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in [input, pipes[1], null] { Glibc.close(descriptor) } }
        guard queries >= 0, pipes[0] >= 0, null >= 0 else { return (queries, pipes[0], -errno) }
        shutdown(queries, Int32(SHUT_RD))
        // If promod was started with SIGCHLD ignored, the kernel would forget how the process ended.
        signal(SIGCHLD, SIG_DFL)
        // This very file, even if another version has been installed in its place.
        let process = Spawn.start(
            "/proc/self/exe", FetchProcess.arguments(caFile: request.caFile), environment: environment(request.proxies),
            descriptors: [(input, as: STDIN_FILENO), (pipes[1], as: STDOUT_FILENO), (null, as: STDERR_FILENO)],
            last: STDERR_FILENO)
        return (queries, pipes[0], process)
    }

    deinit {
        Glibc.close(queries)
        Glibc.close(answers)
    }

    private static func environment(_ proxies: Proxies) -> [String] {
        // How names are resolved is configured for the machine.
        let resolver = ProcessSetup.environment.filter { ["LOCALDOMAIN", "RES_OPTIONS"].contains($0.key) }
        // On a machine with Swift, its backtracer, a program that this process may not start, would be waited for after a crash.
        return ["SWIFT_BACKTRACE=enable=no"]
            + proxies.variables.merging(resolver) { proxy, _ in proxy }.map { "\($0)=\($1)" }
    }

    var isOver: Bool { state.withLock { $0.process == nil || $0.failure != nil } }

    func cancel() {
        kill(for: Exchange.cancelled)
    }

    func close() {
        cancel()
        reap()
    }

    func ask(_ query: FetchQuery) throws(Failure) -> FetchAnswer {
        let line = query.line
        // The socket takes a whole query, if those before it were read, and if anybody is left at its other end.
        guard !isOver, Descriptor.send(line.span, to: queries, waits: false) == line.count else {
            throw reap()
        }
        let deadline = PollLoop.clock() + Milliseconds(query.milliseconds) + Self.grace
        var reader = FetchReader(maximumBytes: query.maximumBytes)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !reader.isWhole {
            guard waitForBytes(until: deadline) else {
                kill(for: Failure(.timeout, "The process that fetches did not answer in time."))
                break
            }
            let count = Descriptor.read(from: answers, into: &buffer)
            guard count > 0 else { break }
            do {
                try reader.read(buffer[..<count])
            } catch {
                kill(for: Failure(.fetchProcess, "The process that fetches sent an unexpected message."))
                break
            }
        }
        // Nothing is taken from a process that was killed.
        guard reader.isWhole, !isOver else { throw reap() }
        return reader.answer
    }

    /// Waits until there are bytes to read, or the other end is closed.
    /// - Returns: false at the deadline.
    private func waitForBytes(until deadline: Milliseconds) -> Bool {
        var watched = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        while true {
            let rest = deadline - PollLoop.clock()
            guard rest > 0 else { return false }
            // The kernel reads and writes one entry.
            let count = unsafe poll(&watched, 1, Int32(clamping: rest))
            if count > 0 { return true }
            if count < 0 && errno != EINTR { return false }
        }
    }

    private func kill(for failure: Failure) {
        state.withLock { state in
            guard let process = state.process, state.failure == nil else { return }
            state.failure = failure
            Glibc.kill(process, SIGKILL)
        }
    }

    /// Ends the process, and waits for that.
    /// - Returns: why it was killed, or has ended.
    @discardableResult
    private func reap() -> Failure {
        guard let process = state.withLock({ $0.process }) else {
            return state.withLock { $0.failure } ?? Exchange.cancelled
        }
        // A process without its pipe is of no use. One that has ended keeps its status.
        Glibc.kill(process, SIGKILL)
        var information = unsafe siginfo_t()
        // WNOWAIT keeps the number from other processes until nobody can kill it here. The kernel writes one structure.
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return state.withLock { state in
            var status: Int32 = 0
            // The kernel writes one number.
            while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
            let failure = state.failure ?? Self.failure(after: status)
            state = State(process: nil, failure: failure)
            return failure
        }
    }

    private static func failure(after status: Int32) -> Failure {
        let signal = status & 0x7F
        // The C library's text stays, and is copied.
        let end =
            signal == 0
            ? "with status \(status >> 8 & 0xFF)"
            : "by signal \(signal) (\(unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? ""))"
        return Failure(.fetchProcess, "The process that fetches ended unexpectedly, \(end).")
    }
}
