/// The result of `tap`: where to send the person who tapped.
package struct TapResult: JSONObject, Equatable {
    /// What the person sees.
    package enum Presentation: String, Word {
        case store, offline
    }

    package var app = ""
    package var appStoreID: String?
    package var storeURL = ""
    /// nil if there is a network.
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

    init() {}

    /// Creates a result from its parts.
    package init(app: String, appStoreID: String?, storeURL: String, offlineMessage: String?) {
        (self.app, self.appStoreID, self.storeURL, self.offlineMessage) = (app, appStoreID, storeURL, offlineMessage)
    }
}

/// The result of `impression`.
package struct ImpressionResult: JSONObject, Equatable {
    package var emitted = 0

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("emitted", &emitted, "how many events were emitted")
    }

    init() {}

    /// A result with the number of events.
    package init(emitted: Int) { self.emitted = emitted }
}

/// The result of `subscribe`.
package struct SubscribeResult: JSONObject, Equatable {
    package var subscribed: [EventKind] = []
    package var epoch = ""
    package var since = 0

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("subscribed", &subscribed.growing, "the kinds of events to come")
        member("epoch", &epoch, "the identifier of the daemon's run, within which seq counts")
        member(
            "since", &since,
            "the seq after which events follow; higher than the one asked for if events between were dropped")
    }

    init() {}

    /// Creates a result from its parts.
    package init(subscribed: [EventKind], epoch: String, since: Int) {
        (self.subscribed, self.epoch, self.since) = (subscribed, epoch, since)
    }
}

/// The result of `launch`.
package struct LaunchResult: JSONObject, Equatable {
    package var app = ""
    package var firstLaunch = Timestamp(seconds: 0)
    package var isRecorded = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app that was launched")
        member("firstLaunch", &firstLaunch, "when the app was first launched")
        member("recorded", &isRecorded, "whether this call recorded the first launch")
    }

    init() {}

    /// Creates a result from its parts.
    package init(app: String, firstLaunch: Timestamp, isRecorded: Bool) {
        (self.app, self.firstLaunch, self.isRecorded) = (app, firstLaunch, isRecorded)
    }
}

/// The result of `review-reset`.
package struct ReviewResetResult: JSONObject, Equatable {
    package var app = ""
    package var wasKnown = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app")
        member("reset", &wasKnown, "whether there was anything to forget about the app")
    }

    init() {}

    /// Creates a result from its parts.
    package init(app: String, wasKnown: Bool) { (self.app, self.wasKnown) = (app, wasKnown) }
}

/// The result of `refresh`.
package struct RefreshResult: JSONObject, Equatable {
    /// How a refresh ended, or that it has only started, or not even that.
    package enum Outcome: String, Word {
        case updated, unchanged, failed
        /// The reply did not wait for the end.
        case started
        /// The origin was not asked, because it was a moment ago, or asks for a pause.
        case deferred
    }

    package var outcome = Outcome.started
    package var generation: String?
    package var error: Failure?
    package var retryAt: Timestamp?
    package var redirectedTo: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("outcome", &outcome, "how the refresh ended; started or deferred if it has not")
        member("generation", &generation, "the generation that is served now; null if nothing is served")
        member(
            "error", &error,
            "why the refresh failed, or why the catalog could not be stored; if it was deferred, what is wrong since before"
        )
        member(
            "retryAt", &retryAt.roundedUp,
            "after a failure, when the next attempt is planned; if it was deferred, when the origin may be asked")
        member.ifPresent(
            "redirectedTo", &redirectedTo,
            "the address that answered, without user, password or query, if the URL redirects there")
    }

    init() {}

    /// Creates a result from its parts.
    package init(outcome: Outcome, generation: String?, error: Failure? = nil, retryAt: Timestamp? = nil) {
        (self.outcome, self.generation, self.error, self.retryAt) = (outcome, generation, error, retryAt)
    }
}

/// The result of `clear`.
package struct ClearResult: JSONObject, Equatable {
    mutating func visitMembers(_ member: inout MemberVisitor) { member.derived("cleared", true, "true") }

    /// The result, which is always the same.
    package init() {}
}

/// The result of `reload`, sent once the configuration is in force.
package struct ReloadResult: JSONObject, Equatable {
    mutating func visitMembers(_ member: inout MemberVisitor) {
        member.derived("reloaded", true, "true: the configuration is in force")
    }

    /// The result, which is always the same.
    package init() {}
}

/// The result of `icon`: an app's picture as it is on disk.
package struct IconResult: JSONObject {
    /// The media types that a picture may have.
    package enum MediaType: String, Word {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"
    }

    package var app = ""
    /// nil if there is no picture on disk.
    package var mediaType: MediaType?
    /// The picture in base64; nil if there is none on disk.
    package var data: OutsideText?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app")
        member("mediaType", &mediaType, "the picture's media type")
        member("data", &data, "the picture in base64; null if there is none on disk")
    }
}
