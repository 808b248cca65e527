import PromoWire

/// One client's connection, as a value without I/O: bytes, answers and times go in, and what to do next comes out.
///
/// Replies are sent in the order of the requests. While some are unsent, because the client does not read them, nothing more is
/// read from the client.
package struct Connection: Sendable {
    enum Phase: Sendable {
        case serving(Serving)
        case ending(ConnectionEnd)
        case closed
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
        /// Whether to end the connection if the client hangs up while a reply is awaited, which the client could not receive.
        package var hangUp = false
        /// Whether to close the descriptor, because the connection is over.
        package var close = false
    }

    /// The size in bytes at which replies are sent, even if there is more to answer.
    static let sendThreshold = 65_536

    var phase = Phase.serving(Serving())
    /// The bytes to send.
    package internal(set) var output = OutputQueue()
    /// Whether the client has not read everything that was sent, so that nothing more is answered.
    var isStalled = false

    /// Creates a connection that was just accepted.
    package init() {}

    /// Changes the serving state in place. It is moved out of the phase meanwhile, so that none of its buffers is copied.
    /// - Returns: nil if the connection no longer serves.
    mutating func serve<Result>(_ change: (inout Serving, inout OutputQueue) -> Result) -> Result? {
        guard case .serving(var serving) = phase else { return nil }
        phase = .closed
        defer { phase = .serving(serving) }
        return change(&serving, &output)
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
        guard case .serving(let serving) = phase, serving.isBetweenLines, output.isEmpty else { return 0 }
        var start = 0
        while replies.json.bytes.count < Self.sendThreshold, start < bytes.count {
            let length = answer(bytes.extracting(start...), &replies)
            guard length > 0 else { break }
            start += length
        }
        if start > 0, !serving.hasAsked { serve { serving, _ in serving.hasAsked = true } }
        return start
    }

    /// Whether nothing waits here and there is nothing to do but read on.
    package var isQuiet: Bool {
        guard case .serving(let serving) = phase, output.isEmpty else { return false }
        return serving.isBetweenLines && !serving.isInputEnded && serving.deadline == nil
    }

    /// Takes received bytes.
    package mutating func receive(_ bytes: Span<UInt8>) {
        switch phase {
        case .serving: serve { serving, _ in serving.framer.append(bytes) }
        case .ending(var end): phase = end.discard(bytes.count) ? .ending(end) : .closed
        case .closed: break
        }
    }

    /// The client has ended its input.
    package mutating func inputEnded() {
        switch phase {
        case .serving: serve { serving, _ in serving.isInputEnded = true }
        case .ending: phase = .ending(ConnectionEnd(.finishing))
        case .closed: break
        }
    }

    /// The connection broke.
    package mutating func broke() {
        phase = .closed
        output = OutputQueue()
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
}

/// A time in milliseconds, by the monotonic clock.
package typealias Milliseconds = Int64
