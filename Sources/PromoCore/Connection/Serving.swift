import PromoWire

/// The state of a connection that serves its client: the input, and the line that is being answered.
struct Serving: Sendable {
    /// The next item of the input.
    enum Next: Sendable {
        case step(Connection.Step)
        case tooLong
        /// The client speaks HTTP.
        case http
    }

    private enum Activity: Sendable {
        /// No line is being answered.
        case idle
        /// The line's next call may be taken.
        case line(RequestLine)
        /// The shell answers a call.
        case answering(RequestLine)
        /// A reply is awaited.
        case waiting(RequestLine)
        /// Subscribers have their turn, because they have to receive the events so far.
        case yielding(RequestLine)

        var line: RequestLine? {
            switch self {
            case .idle: nil
            case .line(let line), .answering(let line), .waiting(let line), .yielding(let line): line
            }
        }
    }

    var framer = LineFramer(maximumLength: Message.maximumLength)
    var isInputEnded = false
    /// Whether there was a line; only the first one may be HTTP.
    var hasAsked = false
    /// During shutdown, when the connection is closed if it stays idle; nil before.
    var deadline: Milliseconds?
    private var activity = Activity.idle

    /// Whether every line is answered, and no part of another has arrived.
    var isBetweenLines: Bool { isNoLineAnswered && framer.isEmpty }

    /// Whether there is nothing to answer until more input comes.
    var isIdle: Bool { isNoLineAnswered && !hasLine }

    private var isNoLineAnswered: Bool { if case .idle = activity { true } else { false } }

    /// Whether there may be a line: bytes that were not searched for one, or a last line without its line feed.
    private var hasLine: Bool { !framer.isSearched || isInputEnded && !framer.isEmpty }

    /// Whether there is a step to take now.
    var canGoOn: Bool {
        switch activity {
        case .idle: hasLine
        case .line: true
        case .answering, .waiting, .yielding: false
        }
    }

    /// Whether a reply is awaited.
    var isWaiting: Bool { if case .waiting = activity { true } else { false } }

    /// Whether events wait for the end of the line.
    var holdsEvents: Bool {
        if case .answering = activity { true } else { activity.line?.holdsEvents ?? false }
    }

    /// Begins the time after which an idle connection is closed, if promod stops.
    mutating func restartDeadline(now: Milliseconds) {
        guard deadline != nil else { return }
        deadline = now + (hasAsked ? ConnectionEnd.quietTime : ConnectionEnd.firstLineTime)
    }

    // MARK: Steps

    /// Takes the next call, of a new line if need be.
    mutating func next(mayCauseEvents: Bool, _ output: inout OutputQueue) -> Next {
        if isNoLineAnswered, let other = takeLine() { return other }
        switch takeActivity() {
        case .line(var line):
            // Only requests that cause events wait, so that a flood of them does not delay the others.
            if !mayCauseEvents, line.mayCauseEvents {
                activity = .yielding(line)
                return .step(.takeTurn)
            }
            switch line.calls.popFirst() {
            case .request(let request, let id):
                activity = .answering(line)
                return .step(.answer(request, id: id))
            case .rejected(let error, let id):
                var reply = OutputQueue()
                reply.reply(to: id, error: error)
                line.append(&reply, to: &output)
                goOn(line, &output)
                return .step(.again(refused: error.reason))
            case .dropped(let error):
                goOn(line, &output)
                return .step(.again(refused: error.reason))
            case nil:
                goOn(line, &output)
                return .step(.again(refused: nil))
            }
        case let other:
            activity = other
            return .step(.none)
        }
    }

    /// Begins the next line; if there is none, returns what comes instead of a call.
    private mutating func takeLine() -> Next? {
        switch framer.next() ?? (isInputEnded ? framer.finish() : nil) {
        case .line(let bytes):
            if !hasAsked, HTTPRequest.begins(with: bytes) { return .http }
            hasAsked = true
            guard let message = Message(line: bytes) else { return .step(.again(refused: nil)) }
            activity = .line(RequestLine(message))
            return nil
        case .tooLong: return .tooLong
        case nil: return .step(.none)
        }
    }

    /// The activity, moved out so that its buffers are not copied when they grow.
    private mutating func takeActivity() -> Activity {
        defer { activity = .idle }
        return activity
    }

    /// Goes on with the line's next call, or ends the line.
    private mutating func goOn(_ line: consuming RequestLine, _ output: inout OutputQueue) {
        if line.calls.isEmpty { line.end(&output) } else { activity = .line(line) }
    }

    /// Ends the line, whether all of it is answered or not.
    mutating func endLine(_ output: inout OutputQueue) {
        guard var line = takeActivity().line else { return }
        line.end(&output)
    }

    // MARK: Replies

    /// The call that was taken last is answered, or its reply is awaited.
    mutating func answered(_ answer: Answer, _ reply: inout OutputQueue, _ output: inout OutputQueue) {
        guard case .answering(var line) = takeActivity() else { return }
        if answer.isFollowedByEvents { line.holdsEvents = true }
        guard !answer.isLater else { return activity = .waiting(line) }
        line.append(&reply, to: &output)
        goOn(line, &output)
    }

    /// The reply that was awaited has arrived.
    mutating func replyArrived(_ reply: inout OutputQueue, _ output: inout OutputQueue) {
        switch takeActivity() {
        case .waiting(var line):
            line.append(&reply, to: &output)
            goOn(line, &output)
        case let other: activity = other
        }
    }

    /// Subscribers have had their turn.
    mutating func turnEnded() {
        if case .yielding(let line) = activity { activity = .line(line) }
    }
}
