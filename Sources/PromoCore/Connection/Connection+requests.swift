package import PromoWire

extension Connection {
    /// The shell's next step.
    package enum Step: Equatable, Sendable {
        /// Answer this, and pass the answer to ``answered(_:_:)``.
        case answer(Request, id: RequestID?)
        /// Give subscribers their turn, and call ``turnEnded()``.
        case takeTurn
        /// Enough replies are written: call ``drain(_:)``, and ask for the next step.
        case send
        /// The step was taken here: ask for the next one. If a request was refused, this is why.
        case again(refused: ErrorReason?)
        /// Nothing: there is no further request, or none may be taken now.
        case none
    }

    /// Returns the next step; the shell asks until it is `none`.
    /// - Parameter mayCauseEvents: whether more events may happen before subscribers have had their turn; otherwise, a request that may
    ///   cause events waits.
    package mutating func nextStep(mayCauseEvents: Bool) -> Step {
        guard case .serving(let serving) = phase, serving.canGoOn, !isStalled else { return .none }
        if output.size >= Self.sendThreshold { return .send }
        switch serve({ $0.next(mayCauseEvents: mayCauseEvents, &$1) }) {
        case .step(let step): return step
        case .http: return refuseHTTP()
        case .tooLong:
            let limit = Message.maximumLength
            return refuse(RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
        case nil: return .none
        }
    }

    /// The request of the last step is answered.
    /// - Parameter reply: the reply, if it is written. It is moved away.
    /// - Returns: the number with which the reply has to be passed to ``replyArrived(_:_:)``; nil if it is written.
    package mutating func answered(_ answer: Answer, _ reply: inout OutputQueue) -> Int? {
        defer { reply.clear() }
        return serve { $0.answered(answer, &reply, &$1) }.flatMap(\.self)
    }

    /// The reply to a request that had to wait has arrived. It is sent after those to earlier requests.
    /// - Parameter reply: the reply, which is moved away.
    package mutating func replyArrived(_ number: Int, _ reply: inout OutputQueue) {
        serve { $0.replyArrived(number, &reply, &$1) }
        reply.clear()
    }

    /// Subscribers have had their turn.
    package mutating func turnEnded() {
        serve { serving, _ in serving.turnEnded() }
    }
}
