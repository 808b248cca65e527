package import PromoWire

/// A time in milliseconds, by the monotonic clock.
package typealias Milliseconds = Int64

/// Whether a subscriber's connection takes events.
package enum EventReadiness: Equatable, Sendable {
    case ready
    /// The client has not read the events that were sent before.
    case behind
    /// Events wait for the end of a reply, so the client is not to blame for falling behind.
    case held
}

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

    /// The state of the call that was taken last.
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
    private static let sendThreshold = 65_536
    /// During shutdown, a connection idle this long after its last reply is closed.
    private static let quietTime: Milliseconds = 100
    /// During shutdown, a connection without a request is closed after this time, in which a first request may still arrive.
    private static let firstLineTime: Milliseconds = 1000
    /// The time in which what arrives after the last reply is discarded.
    private static let lingerTime: Milliseconds = 2000
    /// The longest time that a client has to read its last lines.
    private static let readTime: Milliseconds = 60_000

    private var framer = LineFramer(maximumLength: Message.maximumLength)
    private var isInputEnded = false
    /// Whether there was a line.
    private var hasAsked = false
    /// The calls of a line that are not taken yet; nil if no line is being answered.
    private var calls: ArraySlice<Call>?
    private var turn = Turn.next
    /// Whether the line is a batch, whose replies are one array, and whether the array has begun. Without replies there is none.
    private var (isBatch, hasBegun) = (false, false)
    /// The part of the array that is not queued yet, so that its client is woken once and a subscriber can receive events before it.
    private var unsent = OutputQueue()
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
    private var isIdle: Bool { calls == nil && !hasLine }
    /// Whether there is a step to take now.
    private var canGoOn: Bool { turn == .next && (calls != nil || hasLine) }

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
        guard isServing, calls == nil, framer.isEmpty, output.isEmpty else { return 0 }
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
        isServing && output.isEmpty && calls == nil && framer.isEmpty && !isInputEnded && deadline == nil
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
        if calls == nil, let other = takeLine() { return other }
        switch calls?.popFirst() {
        case .request(let request, let id):
            turn = .answering
            return .answer(request, id: id)
        case .rejected(let error, let id):
            var reply = OutputQueue()
            reply.reply(to: id, error: error)
            append(&reply)
            return .again
        case .dropped, nil:
            goOn()
            return .again
        }
    }

    /// Begins the next line; if there is none, returns what comes instead of a call.
    private mutating func takeLine() -> Step? {
        switch framer.next() ?? (isInputEnded ? framer.finish() : nil) {
        case .line(let bytes):
            hasAsked = true
            switch Message(line: bytes) {
            case .single(let call): calls = [call]
            case .batch(let all): (calls, isBatch) = (all[...], true)
            case nil: return .again
            }
            return nil
        case .tooLong:
            let limit = Message.maximumLength
            refuse(RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
            return .again
        case nil: return Step.none
        }
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

    /// Moves the reply to a call into the output, or to the replies of the batch, and goes on. If it is empty, there is none.
    private mutating func append(_ reply: inout OutputQueue) {
        if !reply.isEmpty {
            if isBatch {
                unsent.json.append(hasBegun ? "," : "[")
                hasBegun = true
                unsent.append(&reply)
                if unsent.size >= Self.sendThreshold { output.take(&unsent) }
            } else {
                output.append(&reply)
                output.json.append("\n")
            }
        }
        goOn()
    }

    /// Goes on with the line's next call, or ends the line.
    private mutating func goOn() {
        if calls?.isEmpty == false { turn = .next } else { endLine() }
    }

    /// Ends the line, whether all of it is answered or not, and its array if that has begun.
    private mutating func endLine() {
        if hasBegun {
            output.take(&unsent)
            output.json.append("]\n")
        }
        (calls, turn, isBatch, hasBegun) = (nil, .next, false, false)
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

    /// Whether events are sent at once.
    package var eventReadiness: EventReadiness {
        guard isServing else { return .behind }
        // An event comes after the reply to the request that caused it, and never in the array of a batch.
        return turn == .answering || isBatch ? .held : isStalled ? .behind : .ready
    }

    /// Queues whole lines of events.
    package mutating func send(events: [UInt8]) {
        output.json.append(bytes: events)
    }

    // MARK: The end

    /// The subscriber fell behind, so this line is its last.
    package mutating func disconnect(lagged line: [UInt8]) {
        finish { $0.json.append(bytes: line) }
    }

    /// Refuses the client, with an error as the connection's last line.
    package mutating func refuse(_ error: RequestError) {
        finish { output in
            output.reply(to: .null, error: error)
            output.json.append("\n")
        }
    }

    /// Ends the connection after its last bytes, which the closure writes.
    private mutating func finish(_ write: (inout OutputQueue) -> Void) {
        guard isServing else { return }
        endLine()
        write(&output)
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
