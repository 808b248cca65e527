package import PromoWire

// What a connection tells its shell.

/// Whether a subscriber's connection takes events.
package enum EventReadiness: Equatable, Sendable {
    case ready
    /// The client has not read the events that were sent before.
    case behind
    /// Events wait for the end of a reply, so the client is not to blame for falling behind.
    case held
}

extension Connection {
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
        /// Whether to end the connection if the client hangs up while a reply is awaited, which the client could not receive.
        package var hangUp = false
        /// Whether to close the descriptor, because the connection is over.
        package var close = false
    }
}
