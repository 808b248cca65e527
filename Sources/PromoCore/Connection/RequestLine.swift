import PromoWire

/// A line that is being answered.
struct RequestLine: Sendable {
    /// The replies to a batch, one array on one line. Without replies there is no array.
    private struct Batch: Sendable {
        /// The part of the array that is not queued yet, so that its client is woken once and a subscriber can receive events before it.
        var unsent = OutputQueue()
        var hasBegun = false
    }

    /// The calls that are not answered yet.
    var calls: ArraySlice<Call>
    /// Whether events wait for the end of the line, because part of its reply was queued or because it caused some of them.
    var holdsEvents = false
    /// nil if the line is a single request.
    private var batch: Batch?

    init(_ message: Message) {
        switch message {
        case .single(let call): calls = [call]
        case .batch(let all): (calls, batch) = (all[...], Batch())
        }
    }

    /// Whether the next call may cause events.
    var mayCauseEvents: Bool {
        if case .request(let request, _) = calls.first { request.method.description.mayCauseEvents } else { false }
    }

    /// Moves the reply to a call into the output, or to the replies of the batch. If it is empty, there is none.
    mutating func append(_ reply: inout OutputQueue, to output: inout OutputQueue) {
        guard !reply.isEmpty else { return }
        guard var batch else {
            output.append(&reply)
            output.json.append("\n")
            return
        }
        self.batch = nil
        batch.unsent.json.append(batch.hasBegun ? "," : "[")
        batch.hasBegun = true
        batch.unsent.append(&reply)
        if batch.unsent.size >= Connection.sendThreshold {
            output.append(&batch.unsent)
            holdsEvents = true
        }
        self.batch = batch
    }

    /// Ends the line, and its array if that has begun.
    mutating func end(_ output: inout OutputQueue) {
        guard var batch, batch.hasBegun else { return }
        output.append(&batch.unsent)
        output.json.append("]\n")
    }
}
