package import PromoWire

/// One client's connection, as a value: bytes, answers and times go in; what to do next comes out, and nothing here does it.
///
/// Replies go out in the order of the requests, and no more is taken from a client than it reads of its replies.
package struct Connection: Sendable {
    /// What the shell has to do before anything else happens here.
    package enum Step: Equatable, Sendable {
        /// Answer this, into ``lines``, and call ``answered(emitted:)``, ``subscribed()`` or ``waits(for:)``.
        case answer(Request, id: RequestID?)
        /// Let subscribers have their turn, and call ``turnEnded()``.
        case takeTurn
        /// Enough replies have come together: call ``send()`` and ``drain(_:)``, and ask again.
        case send
        /// A line was dealt with here: ask again, when others have had their turn if it was the last of many.
        case again(deliversEvents: Bool)
        /// Nothing: there is no further request, or none may be taken.
        case none
    }

    /// What the shell brings the descriptor in line with after each event.
    package struct Wish: Equatable, Sendable {
        /// Whether more is to be read from the client.
        package var input = false
        /// Whether something is on its way out.
        package var output = false
        /// Whether there is more to answer, and ``nextStep(mayCauseEvents:)`` is to be asked when others have had their turn.
        package var more = false
        /// When ``timePassed(now:)`` has to be called; nil for never.
        package var deadline: Milliseconds?
        /// Whether the write side is to be shut down, which ends the client's reading.
        package var shutDown = false
        /// Whether the connection is over: its descriptor is to be closed.
        package var close = false
        /// How many requests were refused since the last wish.
        package var refusals = 0
    }

    private enum Phase: Sendable {
        case serving
        case ending(ConnectionEnd)
        case closed
    }

    /// What the next request waits for.
    private enum Hold: Equatable, Sendable {
        case nothing
        /// The reply to the one before, which goes to that id.
        case reply(RequestID?)
        /// Subscribers, who have to hear of what happened so far.
        case turn
    }

    /// The calls of a line that are still to be answered.
    private struct Work: Sendable {
        var calls: ArraySlice<Call>
        let isBatch: Bool
        /// Whether events have to wait for the end of the line: a part of it is out, or it caused some of them.
        var holdsEvents = false
    }

    /// Replies go out when so many bytes have come together.
    private static let sendThreshold = 65_536

    /// Replies that are written and not yet on their way out; the shell writes into them what it answers.
    package var lines = ReplyLines()
    /// What is on its way out.
    package private(set) var output = OutputQueue()
    /// How many requests were refused here since the last ``Wish``.
    private var refusals = 0

    private var framer = LineFramer(maximumLength: Message.maximumLength)
    private var phase = Phase.serving
    private var hold = Hold.nothing
    private var isInputEnded = false
    private var hasAsked = false
    private var isSubscribed = false
    private var work: Work?
    /// Whether a request is being answered at this moment.
    private var isAnswering = false
    /// While promod stops: when a client that sends nothing is done.
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

    /// Whether there is a request, or the rest of one, that was not looked at yet.
    private var hasMore: Bool { work != nil || !framer.isSearched || isInputEnded && !framer.isEmpty }

    private var isSendDue: Bool { lines.count >= Self.sendThreshold }

    /// Whether the client follows events and no line of it is being answered, so that events go out at once.
    private var isFollowing: Bool { isSubscribed && work == nil && isServing }

    /// Whether an event could go out now without piling up.
    package var takesEvents: Bool { isServing && !holdsEvents && output.isEmpty }

    /// Whether events wait for the end of a line that the client itself asked for.
    package var holdsEvents: Bool { isAnswering || work?.holdsEvents == true }

    private var isServing: Bool {
        if case .serving = phase { true } else { false }
    }

    // MARK: Input

    /// Bytes came.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        switch phase {
        case .serving:
            framer.append(bytes)
        case .ending(var end):
            phase = end.discard(bytes.count) ? .ending(end) : .closed
        case .closed: break
        }
    }

    /// Answers whole lines at the start of what came, as long as nothing waits here and the body answers them.
    /// - Parameters:
    ///   - lines: takes the replies, which go out before anything else; what is left of them is for ``takeOver(_:)``.
    ///   - answer: answers the line at the start of some bytes and returns its length with its line feed, or 0.
    /// - Returns: how many bytes are done with; the rest is for ``receive(_:)``.
    package mutating func answerWholeLines(
        of bytes: UnsafeRawBufferPointer, into lines: inout ReplyLines,
        _ answer: (UnsafeRawBufferPointer, inout ReplyLines) -> Int
    ) -> Int {
        guard isServing, hold == .nothing, work == nil, output.isEmpty, framer.isEmpty, !isSubscribed,
            self.lines.count == 0
        else { return 0 }
        var start = 0
        while lines.count < Self.sendThreshold, start < bytes.count {
            let length = answer(UnsafeRawBufferPointer(rebasing: bytes[start...]), &lines)
            guard length > 0 else { break }
            hasAsked = true
            start += length
        }
        return start
    }

    /// Whether nothing waits here and nothing is to be done but to read on.
    package var isQuiet: Bool {
        isServing && hold == .nothing && !hasMore && framer.isEmpty && output.isEmpty && lines.count == 0
            && !isInputEnded && stopping == nil
    }

    /// Puts on its way out what could not be sent at once.
    package mutating func takeOver(_ lines: inout ReplyLines) {
        lines.move(to: &output)
    }

    /// The client will send no more.
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

    /// What has to happen before anything else; the shell asks until there is nothing.
    /// - Parameter mayCauseEvents: whether more events may happen before subscribers have had their turn.
    package mutating func nextStep(mayCauseEvents: Bool) -> Step {
        guard isServing, hold == .nothing, output.isEmpty, hasMore else { return .none }
        if isSendDue { return .send }
        if work == nil {
            guard takeLine() else { return .none }
            guard work != nil else { return .again(deliversEvents: isFollowing) }
        }
        guard mayCauseEvents else {
            hold = .turn
            return .takeTurn
        }
        switch work?.calls.popFirst() {
        case .request(let request, let id):
            isAnswering = true
            return .answer(request, id: id)
        case .rejected(let error, let id):
            refusals += 1
            lines.reply(to: id, error: error)
        case .dropped:
            refusals += 1
        case nil: break
        }
        finishWorkIfDone()
        return .again(deliversEvents: isFollowing)
    }

    /// The request is answered, and the reply is in ``lines``.
    /// - Parameter emitted: whether it caused events.
    /// - Returns: whether events go out now, because the client follows them and its line is answered.
    package mutating func answered(emitted: Bool) -> Bool {
        isAnswering = false
        if emitted { work?.holdsEvents = true }
        finishWorkIfDone()
        return isFollowing
    }

    /// The request began or replaced a subscription, or failed to.
    /// - Returns: whether events go out now.
    package mutating func subscribed(_ follows: Bool) -> Bool {
        isAnswering = false
        isSubscribed = follows
        // What is replayed comes after the result.
        work?.holdsEvents = true
        finishWorkIfDone()
        return isFollowing
    }

    /// The reply comes later, through ``replyArrived(_:)``.
    package mutating func waits(for id: RequestID?) {
        isAnswering = false
        hold = .reply(id)
    }

    /// The reply that was waited for is there; the body writes it.
    /// - Returns: whether events go out now.
    package mutating func replyArrived(_ write: (_ id: RequestID?, _ lines: inout ReplyLines) -> Void) -> Bool {
        guard case .reply(let id) = hold, isServing else { return false }
        hold = .nothing
        write(id, &lines)
        finishWorkIfDone()
        return isFollowing
    }

    /// Subscribers have had their turn.
    package mutating func turnEnded() {
        if hold == .turn { hold = .nothing }
    }

    /// Takes the next line, of which there may be nothing to answer; false if there is none.
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
            refusals += 1
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

    /// Puts on its way out what was written; the shell calls this when it has no further step, and when it is told to.
    ///
    /// A subscriber's unfinished batch stays here, so that events can go out before it, unless it has grown large.
    /// - Returns: whether events go out now.
    @discardableResult
    package mutating func send() -> Bool {
        if !(isSubscribed && lines.isArrayOpen) || isSendDue {
            if lines.isArrayOpen { work?.holdsEvents = true }
            lines.move(to: &output)
        }
        return isFollowing
    }

    /// Puts whole lines of events on their way out.
    package mutating func send(events: [UInt8]) {
        output.append(events)
    }

    /// Hands over what is on its way out, slice by slice, until one is not taken whole.
    /// - Parameter write: takes bytes, and returns how many it took.
    package mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        output.drain(write)
    }

    // MARK: End

    /// The subscriber fell behind: this line is the last that it gets.
    package mutating func disconnect(lagged line: [UInt8]) {
        guard isServing else { return }
        // What a batch has answered so far goes out as a whole array.
        lines.endBatch()
        lines.move(to: &output)
        output.append(line)
        end(.lagging)
    }

    /// Turns the client away: an error that is the connection's last line.
    package mutating func refuse(_ error: RequestError) {
        guard isServing else { return }
        refusals += 1
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

    /// promod stops: what was asked, or is on its way, is answered first.
    package mutating func stop() {
        if stopping == nil { stopping = Stopping(deadline: .max) }
    }

    /// Settles what there is to settle after each event: begins the end if everything is answered, and sets the deadlines.
    /// - Parameter owesEvents: whether the client still has to be handed events.
    package mutating func settle(owesEvents: Bool, now: Milliseconds) -> Wish {
        settlePhase(owesEvents: owesEvents, now: now)
        var wish = Wish(input: wantsInput, output: !output.isEmpty, deadline: deadline, refusals: refusals)
        wish.more = isServing && hold == .nothing && output.isEmpty && hasMore
        refusals = 0
        switch phase {
        case .serving: break
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

    /// The deadline came.
    package mutating func timePassed(now: Milliseconds) {
        guard let deadline, now >= deadline else { return }
        switch phase {
        case .serving:
            // If something is still to be answered or read, the next deadline is set when it was.
            stopping?.deadline = .max
            if hold == .nothing, !hasMore, output.isEmpty { finish() }
        case .ending: phase = .closed
        case .closed: break
        }
    }

    /// Nothing more is to be answered: the connection ends when what is written has gone out.
    private mutating func finish() {
        lines.move(to: &output)
        phase = .ending(ConnectionEnd(.finishing))
    }
}

/// Milliseconds on a clock that nobody sets.
package typealias Milliseconds = Int64
