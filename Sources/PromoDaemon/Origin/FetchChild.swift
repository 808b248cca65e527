import CFetch
import Dispatch
import Glibc
import PromoCore
import PromoFetch
import PromoProcess
import PromoWire
import Synchronization

/// A fetching process: promod's own file, started again as ``FetchProcess``. Whatever it may be stuck in, SIGKILL ends it.
///
/// Its answers are read by a thread that waits for nothing else. Dispatch would wait for many descriptors with one thread, but it frees
/// what it knows of one whose other end is closed while that thread may still use it.
final class FetchChild: OriginConnection {
    private struct State {
        /// The process, until its end is known; SIGKILL is sent to no other.
        var process: pid_t?
        /// Why it was killed, or has ended; nil if neither.
        var failure: Failure?
    }

    /// More than libcurl takes to notice a deadline, or the process to end.
    private static let grace: Milliseconds = 2000
    private static let maximumRead = 1 << 16
    /// Every process that has not been waited for.
    private static let running = Mutex<Set<pid_t>>([])

    private let queries: Int32
    private let answers: Int32
    private let queue = DispatchQueue(label: "promod.fetch")
    private let caFile: String?
    private let proxies: Proxies
    private let maximumBytes: Int
    private let state: Mutex<State>

    /// Starts a process.
    /// - Throws: the failure if the system starts no process.
    init(for request: OriginRequest) throws(Failure) {
        let arguments = FetchProcess.arguments(caFile: request.caFile, hidden: ProcessSetup.privateDirectories)
        let (process, queries, answers) = Self.spawn(arguments, request.proxies.variables)
        guard process > 0 else { throw Self.failure(-process) }
        Self.running.withLock { _ = $0.insert(process) }
        (self.queries, self.answers) = (queries, answers)
        caFile = request.caFile
        proxies = request.proxies
        maximumBytes = request.maximumBytes
        state = Mutex(State(process: process))
    }

    deinit {
        Glibc.close(queries)
        Glibc.close(answers)
    }

    private static func spawn(
        _ arguments: [String], _ proxies: [String: String]
    ) -> (process: pid_t, queries: Int32, answers: Int32) {
        // How the resolver looks names up is a matter of the machine.
        let resolver = ProcessSetup.environment.filter { ["LOCALDOMAIN", "RES_OPTIONS"].contains($0.key) }
        // Swift's backtracer is a program, and this process may start none; a crash would wait for it until the deadline.
        let variables =
            ["SWIFT_BACKTRACE=enable=no"] + proxies.merging(resolver) { proxy, _ in proxy }.map { "\($0)=\($1)" }
        func block(_ texts: [String]) -> String { texts.map { $0 + "\0" }.joined() + "\0" }
        // Each text ends with a NUL, and the list with another.
        var (queries, answers): (Int32, Int32) = (-1, -1)
        let process = unsafe promod_fetch_spawn(block(arguments), block(variables), &queries, &answers)
        return (process, queries, answers)
    }

    private static func failure(_ number: Int32) -> Failure {
        let remedy =
            switch number {
            case EMFILE: "promod may open no more files; raise the limit (ulimit -n, or LimitNOFILE=)"
            case EAGAIN: "promod may start no more processes; end some, or raise the limit (ulimit -u, or TasksMax=)"
            default: String(systemError: number)
            }
        return Failure(.connect, "The process that fetches cannot be started: \(remedy).")
    }

    /// Kills every process that there still is, because this one ends.
    static func killAll() {
        // None was waited for, so none of the numbers is another's.
        running.withLock { for process in $0 { promod_fetch_kill(process) } }
    }

    var isOver: Bool { state.withLock { $0.process == nil || $0.failure != nil } }

    func cancel() {
        kill(for: FetchFailures.cancelled)
    }

    private func kill(for failure: Failure) {
        state.withLock { state in
            guard let process = state.process, state.failure == nil else { return }
            state.failure = failure
            promod_fetch_kill(process)
        }
    }

    func send(
        _ query: Exchange.Query, milliseconds: Milliseconds, completion: @escaping @Sendable (OriginAnswer) -> Void
    ) {
        queue.async { [self] in completion(exchange(query, milliseconds)) }
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            // It ends by itself, unless it is stuck.
            shutdown(queries, Int32(SHUT_WR))
            _ = waitForBytes(until: ProcessSetup.uptime() + Self.grace)
            reap()
            completion()
        }
    }

    // MARK: On the thread of this process

    private func exchange(_ query: Exchange.Query, _ milliseconds: Milliseconds) -> OriginAnswer {
        let line = FetchQuery(
            url: query.url.requestText, headers: query.headers, proxy: proxies.option, maximumBytes: maximumBytes,
            milliseconds: Int(milliseconds)
        ).line
        // The socket takes a whole query, if those before it were read, and if anybody is left at its other end.
        guard !isOver, Descriptor.send(line.span, to: queries, waits: false) == line.count else {
            return OriginAnswer(result: .failure(reap()))
        }
        let deadline = ProcessSetup.uptime() + milliseconds + Self.grace
        var (reader, answer) = (FetchReader(), Answer(maximumBytes: maximumBytes))
        var buffer = [UInt8](repeating: 0, count: Self.maximumRead)
        while answer.end == nil {
            guard waitForBytes(until: deadline) else {
                kill(for: failure(for: FetchProblem(.timeout, isDeadline: true), at: query.url, by: nil))
                break
            }
            let count = Descriptor.read(from: answers, into: &buffer)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            do {
                try reader.read(buffer[..<count]) { try answer.take($0) }
            } catch {
                kill(for: Failure(.connect, "The process that fetches says what nobody asked for."))
                break
            }
        }
        // Nothing is taken from a process that was told to end.
        guard let end = answer.end, !isOver else { return OriginAnswer(result: .failure(reap())) }
        let proxy = proxies.used(end.proxyVariable)
        if let problem = end.problem {
            return OriginAnswer(result: .failure(failure(for: problem, at: query.url, by: proxy)), proxy: proxy)
        }
        guard let response = answer.response else {
            kill(for: Failure(.connect, "The process that fetches sends no answer."))
            return OriginAnswer(result: .failure(reap()))
        }
        return OriginAnswer(result: .success(response), proxy: proxy)
    }

    /// Waits until there are bytes to read, or the other end is closed.
    /// - Returns: false at the deadline.
    private func waitForBytes(until deadline: Milliseconds) -> Bool {
        var watched = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        while true {
            let rest = deadline - ProcessSetup.uptime()
            guard rest > 0 else { return false }
            // The kernel reads and writes one entry.
            let count = unsafe poll(&watched, 1, Int32(clamping: rest))
            if count > 0 { return true }
            if count < 0 && errno != EINTR { return false }
        }
    }

    private func failure(for problem: FetchProblem, at url: HTTPSURL, by proxy: Proxies.Used?) -> Failure {
        if problem.kind == .badTrust, let caFile, let cause = TrustedCertificates.problem(in: caFile) {
            return Failure(.tls, cause.sentence)
        }
        return FetchFailures.failure(for: problem, at: url, by: proxy, limit: maximumBytes, now: ProcessSetup.now())
    }

    /// Ends the process, and waits for that.
    /// - Returns: why it has ended.
    @discardableResult
    private func reap() -> Failure {
        guard let process = state.withLock({ $0.process }) else {
            return state.withLock { $0.failure } ?? FetchFailures.cancelled
        }
        // A process that goes on without its pipe is of no use, and would be waited for. One that has ended stays as it is.
        promod_fetch_kill(process)
        var information = unsafe siginfo_t()
        // WNOWAIT keeps the number from others until nobody here can kill it any more. The kernel writes one structure.
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return state.withLock { state in
            var status: Int32 = 0
            // The kernel writes one number.
            while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
            Self.running.withLock { _ = $0.remove(process) }
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
        return Failure(.connect, "The process that fetches ended unexpectedly, \(end).")
    }
}

/// What has come of an answer.
private struct Answer {
    /// More was sent than was asked for, or in another order.
    struct Refused: Error {}

    let maximumBytes: Int
    var response: ReceivedResponse?
    var end: FetchMessage.End?

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    mutating func take(_ message: FetchMessage) throws {
        guard end == nil else { throw Refused() }
        switch message {
        case .head(let head):
            guard response == nil else { throw Refused() }
            response = ReceivedResponse(head: head)
        case .body(let part):
            response?.body += part
            guard let response, response.body.count <= maximumBytes else { throw Refused() }
        case .end(let end):
            self.end = end
        }
    }
}
