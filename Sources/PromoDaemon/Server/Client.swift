import Glibc
import PromoCore
import PromoWire

/// A connection's descriptor, and the hands of its ``Connection``, which decides everything.
final class Client: PollLoop.Source, EventReceiver {
    /// Names a client for as long as the daemon runs.
    typealias ID = Int

    let id: ID
    /// Whether it is one over the limit, which is only turned away.
    let isRefused: Bool

    private let descriptor: Int32
    private unowned let server: QueryServer
    private var connection = Connection()
    /// What the loop watches for; nothing, and the loop does not know the descriptor.
    private var interest: PollLoop.Readiness = []
    private var timer: (id: PollLoop.TimerID, at: Milliseconds)?
    private var isProceeding = false

    init(id: ID, descriptor: Int32, server: QueryServer, isRefused: Bool) {
        self.id = id
        self.descriptor = descriptor
        self.server = server
        self.isRefused = isRefused
    }

    /// Begins to serve, or to turn away.
    func begin(refusal: RequestError?) {
        if let refusal { connection.refuse(refusal) }
        proceed()
    }

    /// Answers what was asked, what is still on its way too, then closes.
    func stop() {
        connection.stop()
        proceed()
    }

    /// The answer that was waited for is there.
    func replyArrived(_ write: (_ id: RequestID?, _ lines: inout ReplyLines) -> Void) {
        connection.replyArrived(write)
        proceed()
    }

    // MARK: The descriptor

    func ready(_ readiness: PollLoop.Readiness) {
        if readiness.contains(.output) || !readiness.isDisjoint(with: .broken) { pump() }
        if connection.wantsInput, readiness.contains(.input) || !readiness.isDisjoint(with: .broken) { receive() }
        proceed()
    }

    private func receive() {
        let count = server.buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            server.buffer.withUnsafeBytes { connection.receive($0[..<count]) }
        } else if count == 0 {
            connection.inputEnded()
        } else if errno != EAGAIN && errno != EINTR {
            connection.broke()
        }
    }

    /// Sends as much of what is on its way out as the kernel takes.
    private func pump() {
        var isBroken = false
        connection.drain { bytes in
            while true {
                let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                if count >= 0 { return count }
                if errno == EINTR { continue }
                isBroken = errno != EAGAIN
                return 0
            }
        }
        guard isBroken else { return }
        // Many who leave large replies unread leave much memory behind.
        if !connection.output.isEmpty { server.plane.largeReplyDropped() }
        connection.broke()
    }

    // MARK: Proceeding

    /// Does everything that can be done now.
    private func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        answer()
        connection.send()
        pump()
        // A line that ended with a reply that had to wait may have held events back.
        if connection.isFollowing { server.plane.events.deliver(to: self) }
        isProceeding = false
        settle()
    }

    private func answer() {
        while true {
            switch connection.nextStep(mayCauseEvents: !server.plane.events.isFull) {
            case .answer(let request, let id):
                answer(request, id)
                // Else a client that subscribed to what it causes itself could outrun its own events.
                if connection.isFollowing { deliver() }
            case .takeTurn:
                return server.plane.events.afterTurn { [weak self] in
                    self?.connection.turnEnded()
                    self?.proceed()
                }
            case .none:
                guard connection.isSendDue else { return }
                connection.send()
                pump()
            }
        }
    }

    private func answer(_ request: Request, _ id: RequestID?) {
        // Taken out meanwhile: a burst of events looks at this connection while the request is answered.
        var lines = ReplyLines()
        swap(&lines, &connection.lines)
        let outcome = server.plane.respond(to: request, id: id, from: self, lines: &lines)
        swap(&lines, &connection.lines)
        switch outcome {
        case .answered(let emitted): connection.answered(emitted: emitted)
        case .subscribed: connection.subscribed(server.plane.events.follows(self))
        case .waits(let wait):
            connection.waits(for: id)
            server.answerLater(wait, to: self.id)
        }
    }

    private func deliver() {
        connection.send()
        pump()
        server.plane.events.deliver(to: self)
    }

    /// Brings the loop in line with what the connection wants next, or ends with it.
    private func settle() {
        server.plane.counters.errors += connection.takeRefusals()
        connection.settle(owesEvents: server.plane.events.owes(self), now: server.loop.now)
        if connection.takeShutdown() { shutdown(descriptor, Int32(SHUT_WR)) }
        guard !connection.isClosed else { return end() }
        var wanted: PollLoop.Readiness = []
        if connection.wantsInput { wanted.insert(.input) }
        if !connection.output.isEmpty { wanted.insert(.output) }
        watch(for: wanted)
        setTimer()
    }

    /// A descriptor that is watched for nothing is not in the loop: the kernel would report a broken one again and again.
    private func watch(for wanted: PollLoop.Readiness) {
        guard wanted != interest else { return }
        defer { interest = wanted }
        if wanted.isEmpty { return server.loop.remove(descriptor) }
        guard interest.isEmpty else { return server.loop.change(descriptor, to: wanted) }
        do {
            try server.loop.add(descriptor, self, for: wanted)
        } catch {
            connection.broke()
            server.loop.later { [weak self] in self?.settle() }
        }
    }

    private func setTimer() {
        let deadline = connection.deadline
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
        if !interest.isEmpty { server.loop.remove(descriptor) }
        interest = []
        server.plane.events.unsubscribe(self)
        close(descriptor)
    }

    /// Ends at once, whatever is still on its way out.
    func abandon() {
        connection.broke()
        settle()
    }

    // MARK: Events

    var takesEvents: Bool { connection.takesEvents }

    var holdsEvents: Bool { connection.holdsEvents }

    func send(events: [UInt8]) {
        connection.send(events: events)
        pump()
        if !isProceeding { settle() }
    }

    func disconnect(lagged line: [UInt8]) {
        server.plane.events.unsubscribe(self)
        connection.disconnect(lagged: line)
        pump()
        if !isProceeding { settle() }
    }
}
