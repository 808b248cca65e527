package import PromoWire

/// One client's connection, as a value without I/O: bytes, answers and times go in, and what to do next comes out.
///
/// Replies are sent in the order of the requests. While some are unsent, because the client does not read them, nothing more is
/// read from the client.
package struct Connection: Sendable {
    /// What the shell has to do next.
    package enum Step: Equatable, Sendable {
        /// Write the answer to this into ``lines``, and call ``answered(emitted:)``, ``subscribed(_:)`` or ``waits(for:id:)``.
        case answer(Request, id: RequestID?)
        /// Give subscribers their turn, and call ``turnEnded()``.
        case takeTurn
        /// Enough replies are written: call ``send()`` and ``drain(_:)``, and ask for the next step.
        case send
        /// The step was taken here: ask for the next one, and deliver events before that if `deliversEvents`.
        case again(deliversEvents: Bool)
        /// Nothing: there is no further request, or none may be taken now.
        case none
    }

    /// The state into which the shell brings the descriptor after each event.
    package struct Wish: Equatable, Sendable {
        /// Whether to read from the client.
        package var input = false
        /// Whether there are bytes to send.
        package var output = false
        /// Whether there is more to answer: ``nextStep(mayCauseEvents:)`` has to be called after others have had their turn.
        package var more = false
        /// When ``timePassed(now:)`` has to be called; nil for never.
        package var deadline: Milliseconds?
        /// Whether to shut down the write side, so that the client reads the end of the stream.
        package var shutDown = false
        /// Whether to end the connection if the client hangs up, although nothing is read or sent: its reply would reach nobody.
        package var hangUp = false
        /// Whether to close the descriptor, because the connection is over.
        package var close = false
        /// Why requests were refused since the last wish.
        package var refusals: [ErrorReason] = []
    }

    private enum Phase: Sendable {
        case serving
        case ending(ConnectionEnd)
        case closed
    }

    /// What the next request waits for.
    private enum Hold: Equatable, Sendable {
        case nothing
        /// The replies to the requests before, which have these ids. More of the group may join until the first reply comes.
        case replies(to: [RequestID?], group: WaitingGroup)
        /// The turn of the subscribers, who have to receive the events so far.
        case turn
    }

    /// The calls of a line that are not answered yet.
    private struct Work: Sendable {
        var calls: ArraySlice<Call>
        let isBatch: Bool
        /// Whether events wait for the end of the line, because part of its reply was sent or because it caused some of them.
        var holdsEvents = false
    }

    /// The size in bytes at which replies are sent, even if there is more to answer.
    private static let sendThreshold = 65_536
    /// The most requests of a connection that wait together, because those of all connections share one queue.
    private static let maximumJoined = 16

    /// Replies that are not queued yet; the shell writes its answers here.
    package var lines = ReplyLines()
    /// The bytes to send.
    package private(set) var output = OutputQueue()
    /// Why requests were refused here since the last ``Wish``.
    private var refusals: [ErrorReason] = []

    private var framer = LineFramer(maximumLength: Message.maximumLength)
    private var phase = Phase.serving
    private var hold = Hold.nothing
    private var isInputEnded = false
    private var hasAsked = false
    private var isSubscribed = false
    private var work: Work?
    /// Whether the shell is answering a request.
    private var isAnswering = false
    /// During shutdown, when the connection is closed if it stays idle; nil before.
    private var stopping: Stopping?

    private struct Stopping: Sendable {
        var deadline: Milliseconds
    }

    /// A connection that was just accepted.
    package init() {}

    private var wantsInput: Bool {
        switch phase {
        case .serving: !isInputEnded && hold == .nothing && !hasMore && output.isEmpty
        case .ending(let end): end.wantsInput && !isInputEnded
        case .closed: false
        }
    }

    private var deadline: Milliseconds? {
        switch phase {
        case .serving: stopping?.deadline
        case .ending(let end): end.deadline
        case .closed: nil
        }
    }

    /// Whether something is left to handle: calls, bytes not yet searched for a line, or a last line without its line feed.
    private var hasMore: Bool { work != nil || !framer.isSearched || isInputEnded && !framer.isEmpty }

    private var isSendDue: Bool { lines.count >= Self.sendThreshold }

    /// Whether the client is a subscriber and no line of it is being answered, so that events are sent at once.
    private var isFollowing: Bool { isSubscribed && work == nil && isServing }

    /// Whether an event would be sent at once, without waiting for other bytes.
    package var takesEvents: Bool { isServing && !holdsEvents && output.isEmpty }

    /// Whether events wait until a line of this client is answered.
    package var holdsEvents: Bool { isAnswering || work?.holdsEvents == true }

    private var isServing: Bool {
        if case .serving = phase { true } else { false }
    }

    // MARK: Input

    /// Takes received bytes.
    package mutating func receive(_ bytes: Span<UInt8>) {
        switch phase {
        case .serving:
            framer.append(bytes)
        case .ending(var end):
            phase = end.discard(bytes.count) ? .ending(end) : .closed
        case .closed: break
        }
    }

    /// Answers whole lines at the start of received bytes, if nothing waits here and as long as the closure answers them.
    /// - Parameters:
    ///   - lines: receives the replies, which are sent before anything else; those that are not taken go to ``takeOver(_:)``.
    ///   - answer: answers the line at the start of the bytes and returns its length with its line feed, or returns 0.
    /// - Returns: how many bytes were answered; the rest goes to ``receive(_:)``.
    package mutating func answerWholeLines(
        of bytes: Span<UInt8>, into lines: inout ReplyLines,
        _ answer: (Span<UInt8>, inout ReplyLines) -> Int
    ) -> Int {
        guard isBetweenLines, !isSubscribed else { return 0 }
        var start = 0
        while lines.count < Self.sendThreshold, start < bytes.count {
            let length = answer(bytes.extracting(start...), &lines)
            guard length > 0 else { break }
            hasAsked = true
            start += length
        }
        return start
    }

    /// Whether nothing waits here and there is nothing to do but read on.
    package var isQuiet: Bool { isBetweenLines && !isInputEnded && stopping == nil }

    /// Whether every line is answered and every reply is sent.
    private var isBetweenLines: Bool {
        isServing && hold == .nothing && work == nil && framer.isEmpty && output.isEmpty && lines.count == 0
    }

    /// Queues replies that could not be sent at once.
    package mutating func takeOver(_ lines: inout ReplyLines) {
        lines.move(to: &output)
    }

    /// The client has ended its input.
    package mutating func inputEnded() {
        isInputEnded = true
        if case .ending = phase { finish() }
    }

    /// The connection broke.
    package mutating func broke() {
        phase = .closed
        (work, lines, output) = (nil, ReplyLines(), OutputQueue())
    }

    // MARK: Requests

    /// Returns the next step; the shell asks until it is `none`.
    /// - Parameter mayCauseEvents: whether more events may happen before subscribers have had their turn; if not, a request that may
    ///   cause some waits.
    package mutating func nextStep(mayCauseEvents: Bool) -> Step {
        guard isServing, hold == .nothing || mayJoin, output.isEmpty, hasMore else { return .none }
        if isSendDue { return .send }
        if work == nil {
            guard takeLine() else { return .none }
            guard work != nil else { return .again(deliversEvents: isFollowing) }
        }
        // Only what causes events waits, or a flood of them would delay everything else.
        if !mayCauseEvents, case .request(let request, _) = work?.calls.first,
            request.method.description.mayCauseEvents
        {
            hold = .turn
            return .takeTurn
        }
        switch work?.calls.popFirst() {
        case .request(let request, let id):
            isAnswering = true
            return .answer(request, id: id)
        case .rejected(let error, let id):
            refusals.append(error.reason)
            lines.reply(to: id, error: error)
        case .dropped(let error):
            refusals.append(error.reason)
        case nil: break
        }
        finishWorkIfDone()
        return .again(deliversEvents: isFollowing)
    }

    /// Whether the next call waits together with those before.
    private var mayJoin: Bool {
        guard case .replies(let ids, let group) = hold, group != .alone, ids.count < Self.maximumJoined,
            case .request(let request, _) = work?.calls.first
        else {
            return false
        }
        return request.method.description.waitingGroup == group
    }

    /// The request is answered, and the reply is in ``lines``.
    /// - Parameter emitted: whether it caused events.
    /// - Returns: whether events are sent now, because the client is a subscriber and its line is answered.
    package mutating func answered(emitted: Bool) -> Bool {
        isAnswering = false
        if emitted { work?.holdsEvents = true }
        finishWorkIfDone()
        return isFollowing
    }

    /// The request began or replaced a subscription, or failed to.
    /// - Returns: whether events are sent now.
    package mutating func subscribed(_ follows: Bool) -> Bool {
        isAnswering = false
        isSubscribed = follows
        // Replayed events come after the result.
        work?.holdsEvents = true
        finishWorkIfDone()
        return isFollowing
    }

    /// The reply to the request comes later, through ``replyArrived(_:)``.
    package mutating func waits(for request: Request, id: RequestID?) {
        isAnswering = false
        var ids: [RequestID?] = []
        if case .replies(let others, _) = hold { ids = others }
        hold = .replies(to: ids + [id], group: request.method.description.waitingGroup)
    }

    /// The first of the awaited replies has arrived; the closure writes it.
    /// - Returns: whether events are sent now.
    package mutating func replyArrived(_ write: (_ id: RequestID?, _ lines: inout ReplyLines) -> Void) -> Bool {
        guard case .replies(let ids, _) = hold, isServing else { return false }
        hold = ids.count == 1 ? .nothing : .replies(to: Array(ids.dropFirst()), group: .alone)
        write(ids[0], &lines)
        finishWorkIfDone()
        return isFollowing
    }

    /// Subscribers have had their turn.
    package mutating func turnEnded() {
        if hold == .turn { hold = .nothing }
    }

    /// Takes the next line, which may need no answer; false if there is no line.
    private mutating func takeLine() -> Bool {
        guard let event = framer.next() ?? (isInputEnded ? framer.finish() : nil) else { return false }
        switch event {
        case .tooLong:
            let limit = Message.maximumLength
            refuse(RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
        case .line(let line): take(line)
        }
        return true
    }

    private mutating func take(_ line: [UInt8]) {
        if !hasAsked, HTTPRequest.begins(with: line) {
            refusals.append(.invalidRequest)
            lines.move(to: &output)
            output.append(HTTPRequest.refusal)
            phase = .ending(ConnectionEnd(.lingering))
            return
        }
        hasAsked = true
        switch Message(line: line) {
        case .single(let call): work = Work(calls: [call], isBatch: false)
        case .batch(let calls):
            work = Work(calls: calls[...], isBatch: true)
            lines.beginBatch()
        case nil: break
        }
    }

    private mutating func finishWorkIfDone() {
        if work?.calls.isEmpty == true, hold == .nothing { finishWork() }
    }

    private mutating func finishWork() {
        if work?.isBatch == true { lines.endBatch() }
        work = nil
    }

    // MARK: Output

    /// Queues the replies in ``lines``; the shell calls this when there is no further step, and when the step is `send`.
    ///
    /// An unfinished batch stays here, so that its client is woken once and a subscriber can get events before it, unless it has grown
    /// large.
    /// - Returns: whether events are sent now.
    @discardableResult
    package mutating func send() -> Bool {
        if !lines.isArrayOpen || isSendDue {
            if lines.isArrayOpen { work?.holdsEvents = true }
            lines.move(to: &output)
        }
        return isFollowing
    }

    /// Queues whole lines of events.
    package mutating func send(events: [UInt8]) {
        output.append(events)
    }

    /// Passes the bytes to send to a closure, piece by piece, until it does not take a whole piece.
    /// - Parameter write: returns how many bytes it took.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        output.drain(write)
    }

    // MARK: End

    /// The subscriber fell behind, so this line is its last.
    package mutating func disconnect(lagged line: [UInt8]) {
        guard isServing else { return }
        // The replies of a batch so far are sent as a whole array.
        lines.endBatch()
        lines.move(to: &output)
        output.append(line)
        end(.lagging)
    }

    /// Refuses the client, with an error as the connection's last line.
    package mutating func refuse(_ error: RequestError) {
        guard isServing else { return }
        refusals.append(error.reason)
        lines.endBatch()
        lines.reply(to: .null, error: error)
        lines.move(to: &output)
        end(.lingering)
    }

    private mutating func end(_ kind: ConnectionEnd.Kind) {
        work = nil
        isSubscribed = false
        phase = .ending(ConnectionEnd(kind))
        if isInputEnded { finish() }
    }

    /// promod stops; requests that were sent already are still answered.
    package mutating func stop() {
        if stopping == nil { stopping = Stopping(deadline: .max) }
    }

    /// Begins the end if everything is answered, sets the deadlines, and returns what the shell has to do; called after each event.
    /// - Parameter owesEvents: whether the client still has to receive events.
    package mutating func settle(owesEvents: Bool, now: Milliseconds) -> Wish {
        settlePhase(owesEvents: owesEvents, now: now)
        var wish = Wish(input: wantsInput, output: !output.isEmpty, deadline: deadline, refusals: refusals)
        wish.more = isServing && hold == .nothing && output.isEmpty && hasMore
        refusals = []
        switch phase {
        case .serving:
            if case .replies = hold { wish.hangUp = true }
        case .ending(var end):
            wish.shutDown = end.takeShutdown(isDrained: output.isEmpty)
            phase = .ending(end)
        case .closed: wish.close = true
        }
        return wish
    }

    private mutating func settlePhase(owesEvents: Bool, now: Milliseconds) {
        switch phase {
        case .serving:
            guard hold == .nothing, !hasMore, output.isEmpty else { return }
            if isInputEnded && !owesEvents {
                phase = .closed
            } else if stopping != nil {
                let quiet = hasAsked ? ConnectionEnd.quietTime : ConnectionEnd.firstLineTime
                stopping?.deadline = now + quiet
            }
        case .ending(var end):
            phase = end.settle(isDrained: output.isEmpty, now: now) ? .ending(end) : .closed
        case .closed: break
        }
    }

    /// The deadline has passed.
    package mutating func timePassed(now: Milliseconds) {
        guard let deadline, now >= deadline else { return }
        switch phase {
        case .serving:
            // If something is still to be answered or sent, the next deadline is set after that.
            stopping?.deadline = .max
            if hold == .nothing, !hasMore, output.isEmpty { finish() }
        case .ending: phase = .closed
        case .closed: break
        }
    }

    /// Answers nothing more, and ends the connection when all replies are sent.
    private mutating func finish() {
        lines.move(to: &output)
        phase = .ending(ConnectionEnd(.finishing))
    }
}

/// A time in milliseconds, by the monotonic clock.
package typealias Milliseconds = Int64
