import CLinux
import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// A client's descriptor. It performs what its ``Connection`` decides.
final class Client: EventReceiver {
    /// Identifies a client during the whole run of the daemon.
    typealias ID = Int

    /// The number of steps before other clients have their turn, enough for most of what is pipelined.
    private static let turn = 32

    let id: ID
    /// Whether it gets an error alone.
    let isRefused: Bool
    private let descriptor: Int32
    /// A strong reference in both directions: the server drops its own when the client ends.
    private let server: QueryServer
    private var connection = Connection()
    /// The readiness that the loop watches for; nil if the descriptor is not in the loop. A hang-up is always reported.
    private var interest: PollLoop.Readiness?
    private var timer: (id: PollLoop.TimerID, at: Milliseconds)?
    private var isProceeding = false
    private var willProceed = false

    init(id: ID, descriptor: Int32, server: QueryServer, isRefused: Bool) {
        (self.id, self.descriptor, self.server, self.isRefused) = (id, descriptor, server, isRefused)
    }

    /// Answers the requests that were already sent, and then closes the connection.
    func stop() {
        connection.stop()
        proceed()
    }

    /// Sends an error as the only line.
    func refuse(_ error: RequestError) {
        connection.refuse(error)
        proceed()
    }

    /// Takes the reply to a request that had to wait from the server's buffer.
    func replyArrived() {
        connection.replyArrived(&server.replies)
        proceed()
    }

    // MARK: The descriptor

    private func ready(_ readiness: PollLoop.Readiness) {
        let isBroken = !readiness.isDisjoint(with: .broken)
        if readiness.contains(.output) || isBroken { pump(isReady: true) }
        if isBroken, interest == [] { connection.broke() }
        let isDone = interest?.contains(.input) == true && readiness != .output && receive()
        if !isDone { proceed() }
    }

    /// Reads once.
    /// - Returns: whether everything that was read is answered and sent, so that there is nothing else to do.
    private func receive() -> Bool {
        // The kernel gets the buffer with its count, and is done with it when the call returns.
        let count = unsafe server.buffer.withUnsafeMutableBytes {
            unsafe promod_receive(descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 {
            // A reference of its own, because a span of a class's member must not outlive one access to it.
            let buffer = server.buffer
            take(buffer.span.extracting(..<count))
            return connection.isQuiet
        } else if count == 0 {
            connection.inputEnded()
        } else if errno != EAGAIN && errno != EINTR {
            connection.broke()
        }
        return false
    }

    /// Answers received bytes at once, or passes them to the connection.
    private func take(_ bytes: Span<UInt8>) {
        let done = connection.answerWholeLines(of: bytes, into: &server.replies) {
            server.answerAtOnce($0, output: &$1)
        }
        if done > 0 {
            var isBroken = false
            server.replies.drain { send($0, &isBroken) }
            connection.takeOver(&server.replies)
            if isBroken { connection.broke() }
        }
        guard done < bytes.count else { return }
        connection.receive(bytes.extracting(done...))
    }

    /// Sends as many queued bytes as the kernel takes, unless it did not take all the last time and is not known to be ready.
    private func pump(isReady: Bool = false) {
        guard !connection.output.isEmpty, isReady || !connection.isStalled else { return }
        var isBroken = false
        connection.drain { send($0, &isBroken) }
        if isBroken { connection.broke() }
    }

    private func send(_ bytes: Span<UInt8>, _ isBroken: inout Bool) -> Int {
        while true {
            let count = Descriptor.send(bytes, to: descriptor)
            if count >= 0 { return count }
            if errno == EINTR { continue }
            isBroken = errno != EAGAIN
            return 0
        }
    }

    // MARK: Proceeding

    /// Takes all steps that are possible now.
    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        // A late client proceeds after the others.
        if !server.loop.isLate {
            // Delayed events are sent before the next request is answered, as everywhere.
            sendAll()
            answer()
        }
        sendAll()
        isProceeding = false
        settle()
    }

    /// Sends the replies, and then the events that may have waited for them.
    private func sendAll() {
        pump()
        server.events.deliver(to: self)
    }

    private func answer() {
        for step in 0..<Self.turn {
            // The first request of a turn is always answered, so that no client waits for ever for others that cause many events.
            guard step == 0 || !server.loop.isLate && !server.events.isFull else { return }
            switch connection.nextStep() {
            case .answer(let request, let id):
                let answer = server.respond(to: request, id: id, from: self)
                connection.answered(answer, &server.replies)
                if case .later(let later) = answer { server.answer(request, id, of: self.id, later: later) }
            case .send: pump()
            case .again: break
            case .none: return
            }
            // Before the next request, so that a subscriber that causes events cannot fall behind them.
            server.events.deliver(to: self)
        }
    }

    /// Watches for what the connection wants next, or ends the client.
    private func settle() {
        let directives = connection.settle(owesEvents: server.events.owes(self), now: server.loop.now)
        if directives.shutDown { shutdown(descriptor, Int32(SHUT_WR)) }
        guard !directives.close else { return end() }
        var wanted: PollLoop.Readiness = []
        if directives.input { wanted.insert(.input) }
        if directives.output { wanted.insert(.output) }
        watch(for: wanted.isEmpty && !directives.hangUp ? nil : wanted)
        if directives.more { proceedLater() }
        setTimer(directives.deadline)
    }

    /// Proceeds after other clients have had their turn.
    private func proceedLater() {
        guard !willProceed else { return }
        willProceed = true
        server.loop.later { [weak self] in
            self?.willProceed = false
            self?.proceed()
        }
    }

    /// Watches the descriptor. The kernel keeps reporting a broken one whatever the interest. If the interest is empty, that ends the
    /// connection; if it is nil, the descriptor is removed from the loop.
    private func watch(for wanted: PollLoop.Readiness?) {
        guard wanted != interest else { return }
        do {
            if let wanted, interest != nil {
                server.loop.change(descriptor, to: wanted)
            } else if let wanted {
                try server.loop.add(descriptor, for: wanted) { [unowned self] in ready($0) }
            } else {
                server.loop.remove(descriptor)
            }
            interest = wanted
        } catch {
            connection.broke()
            server.loop.later { [weak self] in self?.settle() }
        }
    }

    private func setTimer(_ deadline: Milliseconds?) {
        guard deadline != timer?.at else { return }
        if let timer { server.loop.cancel(timer.id) }
        timer = deadline.map { time in
            let id = server.loop.schedule(at: time) { [weak self] in
                guard let self else { return }
                timer = nil
                connection.timePassed(now: server.loop.now)
                proceed()
            }
            return (id, time)
        }
    }

    private func end() {
        guard server.forget(self) else { return }
        if let timer { server.loop.cancel(timer.id) }
        if interest != nil { server.loop.remove(descriptor) }
        interest = nil
        server.events.unsubscribe(self)
        close(descriptor)
    }

    /// Ends the connection at once, even if replies are unsent.
    func abandon() {
        connection.broke()
        settle()
    }

    // MARK: Events

    var takesEvents: Bool { connection.takesEvents }

    func send(events: [UInt8]) {
        connection.send(events: events)
        sendAndSettle()
    }

    func disconnect(lagged line: [UInt8]) {
        connection.disconnect(lagged: line)
        sendAndSettle()
    }

    private func sendAndSettle() {
        pump()
        if !isProceeding { settle() }
    }
}
