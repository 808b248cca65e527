package import PromoWire

/// One client's connection, as a value without I/O: bytes, answers and times go in, and what to do next comes out.
///
/// Replies are sent in the order of the requests. While some are unsent, because the client does not read them, nothing more is
/// read from the client.
package struct Connection: Sendable {
    /// The shell's next step.
    package enum Step: Equatable, Sendable {
        /// Answer this, and pass the answer to ``answered(_:_:)``. If the reply comes later, pass it to ``replyArrived(_:)``.
        case answer(Request, id: RequestID?)
        /// Enough replies are written: call ``drain(_:)``, and ask for the next step.
        case send
        /// The step was taken here: ask for the next one.
        case again
        /// Nothing: there is no further request, or none may be taken now.
        case none
    }

    /// What the shell does with the descriptor after each event.
    package struct Directives: Equatable, Sendable {
        /// Whether to read from the client.
        package var input = false
        /// Whether there are bytes to send.
        package var output = false
        /// Whether there is more to answer: ``nextStep()`` has to be called after others have had their turn.
        package var more = false
        /// When ``timePassed(now:)`` has to be called; nil for never.
        package var deadline: Milliseconds?
        /// Whether to shut down the write side, so that the client reads the end of the stream.
        package var shutDown = false
        /// Whether to end the connection if the client hangs up while a reply is awaited, because it could not receive the reply.
        package var hangUp = false
        /// Whether to close the descriptor, because the connection is over.
        package var close = false
    }

    /// The state of the request that was taken last.
    private enum Turn: Sendable {
        /// It is answered, so the next one may be taken.
        case next
        /// The shell answers it.
        case answering
        /// Its reply is awaited.
        case waiting
    }

    /// The end of a connection on which nothing more is answered.
    private struct End: Sendable {
        /// Whether the client may still be sending. Closing the connection then would make its next write fail, and it might not read
        /// the last reply. So the write side is shut down when everything is sent, and what still arrives is discarded for a while.
        var lingers: Bool
        var deadline: Milliseconds?
        var isShutDown = false
    }

    /// The size in bytes at which replies are sent, even if there is more to answer.
    static let sendThreshold = 65_536
    /// During shutdown, a connection idle this long after its last reply is closed.
    private static let quietTime: Milliseconds = 100
    /// During shutdown, a connection without a request is closed after this time, in which a first request may still arrive.
    private static let firstLineTime: Milliseconds = 1000
    /// The time in which what arrives after the last reply is discarded.
    private static let lingerTime: Milliseconds = 2000
    /// The longest time that a client has to read its last lines.
    private static let readTime: Milliseconds = 60_000

    private var framer = LineFramer(maximumLength: Call.maximumLength)
    private var isInputEnded = false
    /// Whether there was a line.
    private var hasAsked = false
    private var turn = Turn.next
    /// During shutdown, when the connection is closed if it stays idle; nil before.
    private var deadline: Milliseconds?
    /// Nil while requests are answered.
    private var end: End?
    private var isClosed = false
    /// The bytes to send.
    package private(set) var output = OutputQueue()
    /// Whether the client has not read everything that was sent, so that nothing more is answered.
    package private(set) var isStalled = false

    /// Creates a connection that was just accepted.
    package init() {}

    private var isServing: Bool { end == nil && !isClosed }
    /// Whether there may be a line: bytes that were not searched for one, or a last line without its line feed.
    private var hasLine: Bool { !framer.isSearched || isInputEnded && !framer.isEmpty }
    /// Whether there is nothing to answer until more input comes.
    private var isIdle: Bool { turn == .next && !hasLine }
    /// Whether there is a step to take now.
    private var canGoOn: Bool { turn == .next && hasLine }

    /// Ends serving, and returns its buffers.
    private mutating func leave(for end: End?) {
        let rest = output
        self = Connection()
        (self.end, isClosed, output) = (end, end == nil, rest)
    }

    // MARK: Input

    /// Answers whole lines at the start of received bytes, if nothing waits here and as long as the closure answers them.
    /// - Parameters:
    ///   - replies: receives the replies, which are sent before anything else; those that are not taken go to ``takeOver(_:)``.
    ///   - answer: answers the line at the start of the bytes and returns its length with its line feed, or returns 0.
    /// - Returns: how many bytes were answered; the rest goes to ``receive(_:)``.
    package mutating func answerWholeLines(
        of bytes: Span<UInt8>, into replies: inout OutputQueue,
        _ answer: (Span<UInt8>, inout OutputQueue) -> Int
    ) -> Int {
        guard isServing, turn == .next, framer.isEmpty, output.isEmpty else { return 0 }
        var start = 0
        while replies.json.bytes.count < Self.sendThreshold, start < bytes.count {
            let length = answer(bytes.extracting(start...), &replies)
            guard length > 0 else { break }
            start += length
        }
        if start > 0 { hasAsked = true }
        return start
    }

    /// Whether nothing waits here and there is nothing to do but read on.
    package var isQuiet: Bool {
        isServing && output.isEmpty && turn == .next && framer.isEmpty && !isInputEnded && deadline == nil
    }

    /// Takes received bytes.
    package mutating func receive(_ bytes: Span<UInt8>) {
        if isServing { framer.append(bytes) }
    }

    /// The client has ended its input.
    package mutating func inputEnded() {
        if end == nil { isInputEnded = true } else { end = End(lingers: false) }
    }

    /// The connection broke.
    package mutating func broke() {
        output = OutputQueue()
        leave(for: nil)
    }

    // MARK: Requests

    /// Returns the next step; the shell asks until it is `none`.
    package mutating func nextStep() -> Step {
        guard isServing, canGoOn, !isStalled else { return .none }
        if output.size >= Self.sendThreshold { return .send }
        switch framer.next() ?? (isInputEnded ? framer.finish() : nil) {
        case .line(let bytes):
            hasAsked = true
            switch Call(line: bytes) {
            case .request(let request, let id):
                turn = .answering
                return .answer(request, id: id)
            case .rejected(let error, let id): append(error, to: id)
            case nil: break
            }
        case .tooLong:
            let limit = Call.maximumLength
            refuse(RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
        case nil: return .none
        }
        return .again
    }

    /// The request of the last step is answered.
    /// - Parameter reply: the reply, if it is written. It is moved away.
    package mutating func answered(_ answer: Answer, _ reply: inout OutputQueue) {
        guard turn == .answering else { return reply.clear() }
        if answer.isLater { turn = .waiting } else { append(&reply) }
    }

    /// The reply to a request that had to wait has arrived.
    /// - Parameter reply: the reply, which is moved away.
    package mutating func replyArrived(_ reply: inout OutputQueue) {
        if turn == .waiting { append(&reply) } else { reply.clear() }
    }

    /// Moves the reply to the request into the output. If it is empty, there is none.
    private mutating func append(_ reply: inout OutputQueue) {
        turn = .next
        guard !reply.isEmpty else { return }
        output.append(&reply)
        output.json.append("\n")
    }

    private mutating func append(_ error: RequestError, to id: RequestID) {
        output.reply(to: id, error: error)
        output.json.append("\n")
    }

    // MARK: Output

    /// Queues replies that could not be sent at once.
    package mutating func takeOver(_ replies: inout OutputQueue) {
        guard !replies.isEmpty else { return }
        output.append(&replies)
        isStalled = true
    }

    /// Passes the bytes to send to a closure, piece by piece, until it does not take a whole piece.
    /// - Parameter write: returns how many bytes it took.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        output.drain(write)
        isStalled = !output.isEmpty
        // An idle connection keeps no buffer.
        if !isStalled { output = OutputQueue() }
    }

    /// Whether the client takes events now: it has read what was sent before, and an event comes after the reply to the request that
    /// caused it.
    package var takesEvents: Bool { isServing && turn != .answering && !isStalled }

    /// Queues whole lines of events.
    package mutating func send(events: [UInt8]) {
        output.json.append(bytes: events)
    }

    // MARK: The end

    /// The subscriber fell behind, so this line is its last.
    package mutating func disconnect(lagged line: [UInt8]) {
        finish { $0.output.json.append(bytes: line) }
    }

    /// Refuses the client, with an error as the connection's last line.
    package mutating func refuse(_ error: RequestError) {
        finish { $0.append(error, to: .null) }
    }

    /// Ends the connection after its last line, which the closure appends.
    private mutating func finish(_ append: (inout Connection) -> Void) {
        guard isServing else { return }
        append(&self)
        leave(for: End(lingers: !isInputEnded))
    }

    /// promod stops; requests that the client has already sent are still answered.
    package mutating func stop() {
        deadline = deadline ?? .max
    }

    /// Begins the end if everything is answered, sets the deadlines, and returns the shell's work; called after each event.
    /// - Parameter owesEvents: whether the client still has to receive events.
    package mutating func settle(owesEvents: Bool, now: Milliseconds) -> Directives {
        let isDrained = output.isEmpty
        if isServing, !isIdle || !isDrained {
            return Directives(
                output: !isDrained, more: isDrained && canGoOn, deadline: deadline, hangUp: turn == .waiting)
        }
        if isServing, owesEvents || !isInputEnded {
            if deadline != nil { deadline = now + (hasAsked ? Self.quietTime : Self.firstLineTime) }
            return Directives(input: !isInputEnded, deadline: deadline)
        }
        guard var end, end.lingers || !isDrained else {
            leave(for: nil)
            return Directives(close: true)
        }
        guard end.lingers else { return Directives(output: true) }
        let shutDown = isDrained && !end.isShutDown
        // The time begins only now, so that a client that reads slowly does not lose its last line.
        end.deadline = shutDown ? now + Self.lingerTime : end.deadline ?? now + Self.readTime
        end.isShutDown = end.isShutDown || shutDown
        self.end = end
        return Directives(input: true, output: !isDrained, deadline: end.deadline, shutDown: shutDown)
    }

    /// The deadline has passed.
    package mutating func timePassed(now: Milliseconds) {
        guard let deadline = end?.deadline ?? deadline, now >= deadline else { return }
        if end != nil {
            leave(for: nil)
        } else if isIdle, output.isEmpty {
            leave(for: End(lingers: false))
        } else {
            // The next deadline is set when everything is answered and sent.
            self.deadline = .max
        }
    }
}
