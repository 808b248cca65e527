/// The result of `tap`: where to send the person who tapped.
package struct TapResult: MethodResult, JSONObject, Equatable {
    /// What the person sees.
    package enum Presentation: String, Word {
        case store, offline
    }

    package var app = ""
    package var appStoreID: String?
    package var storeURL = ""
    /// The message to show instead of the page; nil if there is a network.
    package var offlineMessage: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app that was tapped")
        member("appStoreID", &appStoreID, "the app's number in the App Store; null if it is not there")
        member.derived(
            "presentation", offlineMessage == nil ? Presentation.store : .offline,
            "whether to open the store or to show the message")
        member.ifPresent("message", &offlineMessage, "what to show if there is no network")
        member("storeURL", &storeURL, "the address of the app's page in the store")
    }

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, appStoreID: String?, storeURL: String, offlineMessage: String?) {
        (self.app, self.appStoreID, self.storeURL, self.offlineMessage) = (app, appStoreID, storeURL, offlineMessage)
    }
}

/// The result of `impression`.
package struct ImpressionResult: MethodResult, JSONObject, Equatable {
    package var emitted = 0

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("emitted", &emitted, "how many events were emitted")
    }

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
    package var since = 0

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("subscribed", &subscribed, "the kinds of events to come")
        member("epoch", &epoch, "the identifier of the daemon's run, within which seq counts")
        member(
            "since", &since,
            "the seq after which events follow; higher than the one asked for if events between were dropped")
    }

    package init() {}

    /// Creates a result from its parts.
    package init(subscribed: [EventKind], epoch: String, since: Int) {
        (self.subscribed, self.epoch, self.since) = (subscribed, epoch, since)
    }
}
