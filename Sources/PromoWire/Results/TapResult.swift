/// The result of `tap`: where to send the person who tapped.
package struct TapResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var appStoreID = ""
    package var storeURL = ""
    /// The message to show instead of the page; nil if there is a network.
    package var offlineMessage: String?

    package static let members: [Member<TapResult>] = [
        Member("app", \.app, "the id of the app that was tapped"),
        Member("appStoreID", \.appStoreID, "the app's number in the App Store"),
        Member(
            schemas: {
                let presentation = ValueSchema.choice(["store", "offline"]).named("Presentation")
                return [.init("presentation", presentation, "whether to open the store or to show the message")]
            }, write: { $1.member("presentation", $0.offlineMessage == nil ? "store" : "offline") }),
        .ifPresent("message", \.offlineMessage, "what to show if there is no network"),
        Member("storeURL", \.storeURL, "the address of the app's page in the store"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, appStoreID: String, storeURL: String, offlineMessage: String?) {
        (self.app, self.appStoreID, self.storeURL, self.offlineMessage) = (app, appStoreID, storeURL, offlineMessage)
    }

    /// Writes the members faster than by their key paths, because taps are frequent.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("appStoreID", appStoreID)
            writer.member("presentation", offlineMessage == nil ? "store" : "offline")
            if let offlineMessage { writer.member("message", offlineMessage) }
            writer.member("storeURL", storeURL)
        }
    }
}

/// The result of `impression`.
package struct ImpressionResult: MethodResult, JSONObject, Equatable {
    package var emitted = 0

    package static let members = [Member<ImpressionResult>("emitted", \.emitted, "how many events were emitted")]

    package init() {}

    /// A result with the number of events.
    package init(emitted: Int) {
        self.emitted = emitted
    }
}

/// The result of `subscribe`.
package struct SubscribeResult: MethodResult, JSONObject, Equatable {
    package var subscribed: [EventKind] = []
    package var epoch = ""
    package var seq = 0
    package var replayed = 0
    package var missed: Int?

    package static let members: [Member<SubscribeResult>] = [
        Member("subscribed", \.subscribed, "the kinds of events to come"),
        Member("epoch", \.epoch, "the identifier of the daemon's run, within which seq counts"),
        Member("seq", \.seq, "the sequence number of the latest event"),
        Member("replayed", \.replayed, "how many of the selected events follow at once"),
        Member("missed", \.missed, "how many of them are no longer kept; null if that is not known"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(subscribed: [EventKind], epoch: String, seq: Int, replayed: Int, missed: Int?) {
        (self.subscribed, self.epoch, self.seq) = (subscribed, epoch, seq)
        (self.replayed, self.missed) = (replayed, missed)
    }
}
