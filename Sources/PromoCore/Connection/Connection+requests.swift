package import PromoWire

extension Connection {
    /// The shell's next step.
    package enum Step: Equatable, Sendable {
        /// Answer this, and pass the answer to ``answered(_:_:)``. If the reply comes later, pass it to ``replyArrived(_:)``.
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
        guard isServing, serving.canGoOn, !isStalled else { return .none }
        if output.size >= Self.sendThreshold { return .send }
        switch serving.next(mayCauseEvents: mayCauseEvents, &output) {
        case .step(let step): return step
        case .http: return refuseHTTP()
        case .tooLong:
            let limit = Message.maximumLength
            return refuse(RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
        }
    }

    /// The request of the last step is answered.
    /// - Parameter reply: the reply, if it is written. It is moved away.
    package mutating func answered(_ answer: Answer, _ reply: inout OutputQueue) {
        serving.answered(answer, &reply, &output)
        reply.clear()
    }

    /// The reply to a request that had to wait has arrived.
    /// - Parameter reply: the reply, which is moved away.
    package mutating func replyArrived(_ reply: inout OutputQueue) {
        serving.replyArrived(&reply, &output)
        reply.clear()
    }

    /// Subscribers have had their turn.
    package mutating func turnEnded() {
        serving.turnEnded()
    }
}
