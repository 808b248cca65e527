/// The result of `subscribe`.
package struct SubscribeResult: MethodResult, Equatable {
    /// The kinds of events that the subscriber receives.
    package var subscribed: [EventKind]
    /// The identifier of the daemon's run; `seq` counts within it.
    package var epoch: String
    /// The sequence number of the latest event.
    package var seq: Int
    /// How many of the selected events follow at once.
    package var replayed: Int
    /// How many of the selected events are no longer kept; nil if that is not known.
    package var missed: Int?

    /// Creates a result from its parts.
    package init(subscribed: [EventKind], epoch: String, seq: Int, replayed: Int, missed: Int?) {
        self.subscribed = subscribed
        self.epoch = epoch
        self.seq = seq
        self.replayed = replayed
        self.missed = missed
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("subscribed", subscribed.map(\.rawValue))
            writer.member("epoch", epoch)
            writer.member("seq", seq)
            writer.member("replayed", replayed)
            writer.name("missed")
            if let missed { writer.value(missed) } else { writer.value(nil as String?) }
        }
    }
}

extension SubscribeResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            subscribed: try json.words("subscribed"), epoch: try json.string("epoch"), seq: try json.integer("seq"),
            replayed: try json.integer("replayed"), missed: try json.optionalInteger("missed"))
    }
}
