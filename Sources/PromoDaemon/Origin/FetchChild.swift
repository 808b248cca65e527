import CFetch
import Dispatch
import Glibc
import PromoCore
import PromoFetch
import PromoProcess
import PromoWire
import Synchronization

/// A fetching process: promod's own file, started again as ``FetchProcess``. Whatever it may be stuck in, SIGKILL ends it.
final class FetchChild: OriginConnection {
    private struct State {
        /// The process, until its end is known; SIGKILL is sent to no other.
        var process: pid_t?
        /// Why it was killed, or has ended; nil if it was told to.
        var failure: Failure?
        var reader = FetchReader()
        var response: ReceivedResponse?
        var current: (query: Exchange.Query, completion: @Sendable (OriginAnswer) -> Void)?
        var closed: (@Sendable () -> Void)?
        var watch: DescriptorWatch?
        var timer: Alarm?
    }

    /// What a message, or the process's end, leads to.
    private typealias Step = @Sendable () -> Void

    /// More than libcurl takes to notice a deadline.
    private static let grace: Milliseconds = 2000
    private static let maximumRead = 1 << 16

    private let socket: Int32
    private let queue: DispatchQueue
    private let proxies: Proxies
    private let maximumBytes: Int
    private let state: Mutex<State>

    /// Starts a process.
    /// - Throws: the failure if `catalog.ca-file` cannot be used, or if the system starts no process.
    init(for request: OriginRequest, queue: DispatchQueue) throws(Failure) {
        if let path = request.caFile, let problem = TrustedCertificates.problem(in: path) {
            throw Failure(.tls, problem.sentence)
        }
        let (near, far) = SocketPair.open()
        guard near >= 0 else { throw Self.failure(errno) }
        let arguments = FetchProcess.arguments(caFile: request.caFile, hidden: ProcessSetup.privateDirectories)
        let process = Self.spawn(far, arguments, request.proxies.variables)
        Glibc.close(far)
        guard process > 0 else {
            Glibc.close(near)
            throw Self.failure(-process)
        }
        socket = near
        self.queue = queue
        proxies = request.proxies
        maximumBytes = request.maximumBytes
        state = Mutex(State(process: process))
        do {
            try state.withLock { state throws(SystemError) in
                state.watch = try DescriptorWatch(near, of: "a fetch", queue: queue) { [self] _ in receive() }
            }
        } catch {
            throw Failure(.connect, "\(error)")
        }
    }

    private static func spawn(_ socket: Int32, _ arguments: [String], _ proxies: [String: String]) -> pid_t {
        // How the resolver looks names up is a matter of the machine.
        let resolver = ProcessSetup.environment.filter { ["LOCALDOMAIN", "RES_OPTIONS"].contains($0.key) }
        // Swift's backtracer is a program, and this process may start none; a crash would wait for it until the deadline.
        let variables =
            ["SWIFT_BACKTRACE=enable=no"] + proxies.merging(resolver) { proxy, _ in proxy }.map { "\($0)=\($1)" }
        func block(_ texts: [String]) -> String { texts.map { $0 + "\0" }.joined() + "\0" }
        // Each text ends with a NUL, and the list with another.
        return unsafe promod_fetch_spawn(socket, block(arguments), block(variables))
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

    var isOver: Bool { state.withLock { $0.process == nil || $0.failure != nil } }

    // MARK: Asking

    func send(
        _ query: Exchange.Query, milliseconds: Milliseconds, completion: @escaping @Sendable (OriginAnswer) -> Void
    ) {
        let line = FetchQuery(
            url: query.url.requestText, headers: query.headers, proxy: proxies.option, maximumBytes: maximumBytes,
            milliseconds: Int(milliseconds)
        ).line
        let failure = state.withLock { state -> Failure? in
            guard let process = state.process else { return state.failure ?? FetchFailures.cancelled }
            state.current = (query, completion)
            state.response = nil
            state.timer = Alarm(after: milliseconds + Self.grace, queue: queue) { [weak self] in self?.isLate() }
            // The socket takes a whole query, since the one before was answered, unless nobody is left at its other end.
            if Descriptor.send(line.span, to: socket) != line.count { promod_fetch_kill(process) }
            return nil
        }
        if let failure { queue.async { completion(OriginAnswer(result: .failure(failure))) } }
    }

    func cancel() {
        state.withLock { kill(&$0, for: FetchFailures.cancelled) }
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            guard state.process != nil else { return true }
            state.closed = completion
            state.timer = Alarm(after: Self.grace, queue: queue) { [weak self] in self?.cancel() }
            // Its connections end in an orderly way.
            shutdown(socket, Int32(SHUT_WR))
            return false
        }
        if isOver { queue.async(execute: completion) }
    }

    private func isLate() {
        state.withLock { state in
            guard let (query, _) = state.current else { return }
            kill(&state, for: failure(for: FetchProblem(.timeout, isDeadline: true), at: query.url, by: nil))
        }
    }

    private func failure(for problem: FetchProblem, at url: HTTPSURL, by proxy: Proxies.Used?) -> Failure {
        problem.kind == .tooLarge
            ? FetchFailures.tooLarge(url, limit: maximumBytes)
            : FetchFailures.failure(for: problem, at: url, by: proxy, now: ProcessSetup.now())
    }

    private func kill(_ state: inout State, for failure: Failure) {
        guard let process = state.process, state.failure == nil else { return }
        state.failure = failure
        promod_fetch_kill(process)
    }

    // MARK: Being answered

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: Self.maximumRead)
        let count = Descriptor.receive(from: socket, into: &buffer)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        for step in state.withLock({ count > 0 ? read(buffer[..<count], &$0) : end(&$0) }) { step() }
    }

    private func read(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> [Step] {
        var steps: [Step] = []
        do {
            var reader = state.reader
            try reader.read(bytes) { message in
                // Nothing is taken from a process that was told to end.
                guard state.failure == nil else { return }
                if let step = take(message, &state) { steps.append(step) }
            }
            state.reader = reader
        } catch {
            kill(&state, for: Failure(.connect, "The process that fetches says what nobody understands."))
        }
        return steps
    }

    private func take(_ message: FetchMessage, _ state: inout State) -> Step? {
        switch message {
        case .head(let head):
            state.response = ReceivedResponse(head: head)
        case .body(let part):
            state.response?.body += part
            guard state.response.map({ $0.body.count <= maximumBytes }) ?? false else {
                kill(&state, for: Failure(.connect, "The process that fetches sends more than it was asked for."))
                return nil
            }
        case .end(let end):
            guard let (query, completion) = state.current else { return nil }
            (state.current, state.timer) = (nil, nil)
            let proxy = proxies.used(end.proxyVariable)
            let failure = end.problem.map { self.failure(for: $0, at: query.url, by: proxy) }
            let answer = OriginAnswer(result: Self.result(state.response, failure), proxy: proxy)
            state.response = nil
            return { completion(answer) }
        }
        return nil
    }

    private static func result(
        _ response: ReceivedResponse?, _ failure: Failure?
    ) -> Result<ReceivedResponse, Failure> {
        if let failure { return .failure(failure) }
        guard let response else { return .failure(Failure(.connect, "The process that fetches sends no answer.")) }
        return .success(response)
    }

    /// The process has closed its socket.
    private func end(_ state: inout State) -> [Step] {
        guard let process = state.process else { return [] }
        let end = Self.reap(process)
        let failure = state.failure ?? Self.failure(after: end)
        let steps = [
            state.current.map { current -> Step in { current.completion(OriginAnswer(result: .failure(failure))) } },
            state.closed,
        ]
        // The watch holds this object.
        state = State(process: nil, failure: failure)
        return steps.compactMap(\.self)
    }

    private static func reap(_ process: pid_t) -> Int32 {
        // A process that goes on without its socket is of no use, and would be waited for.
        promod_fetch_kill(process)
        var status: Int32 = 0
        // The kernel writes one number.
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
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

/// A timer that fires once, unless it is forgotten before.
private final class Alarm {
    private let timer: any DispatchSourceTimer

    init(after delay: Milliseconds, queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { handler() }
        timer.schedule(deadline: .now() + .milliseconds(Int(delay)))
        timer.activate()
    }

    deinit {
        timer.cancel()
    }
}
