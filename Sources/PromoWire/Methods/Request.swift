/// A request whose parameters were checked.
package enum Request: Equatable, Sendable {
    case list(ListParameters)
    case tap(TapParameters)
    case impression(ImpressionParameters)
    case launch(LaunchParameters)
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReset(LaunchParameters)
    case refresh(RefreshParameters)
    case clear
    case subscribe(SubscribeParameters)
    case status
    case reload
    case discover

    /// The method's name.
    package var method: String {
        switch self {
        case .list: "list"
        case .tap: "tap"
        case .impression: "impression"
        case .launch: "launch"
        case .reviewEligible: "review-eligible"
        case .reviewRequest: "review-request"
        case .reviewReset: "review-reset"
        case .refresh: "refresh"
        case .clear: "clear"
        case .subscribe: "subscribe"
        case .status: "status"
        case .reload: "reload"
        case .discover: "rpc.discover"
        }
    }
}

/// What `list` takes.
package struct ListParameters: Equatable, Sendable {
    /// The app that asks, which is left out and whose rule counts.
    package var host: String?
    /// The language of the taglines; nil is the daemon's own.
    package var language: TaglineLanguage?
    /// How many apps at most, 1 or more.
    package var limit: Int?
    /// Whether to wait for a first fetch under way.
    package var wait: Bool

    /// Parameters as given, or all left out.
    package init(host: String? = nil, language: TaglineLanguage? = nil, limit: Int? = nil, wait: Bool = false) {
        self.host = host
        self.language = language
        self.limit = limit
        self.wait = wait
    }
}

/// The taglines that a `list` asks for.
package enum TaglineLanguage: Equatable, Sendable {
    /// In one language, English where an app has no translation.
    case one(Language)
    /// `"*"`: all translations, as an object.
    case all

    /// Reads a language parameter.
    package init(_ tag: String) {
        self = tag == "*" ? .all : .one(Language(tag: tag))
    }

    /// How a reply names the one that was looked for; nil where it was all.
    package var lookedFor: String? {
        switch self {
        case .one(let language): language.rawValue
        case .all: nil
        }
    }
}

/// What `tap` takes.
package struct TapParameters: Equatable, Sendable {
    /// The app that was tapped.
    package var app: String
    /// The app that showed it.
    package var host: String?
    /// The language of the offline message; nil is the daemon's own.
    package var language: Language?

    /// Parameters as given.
    package init(app: String, host: String? = nil, language: Language? = nil) {
        self.app = app
        self.host = host
        self.language = language
    }
}

/// What `impression` takes.
package struct ImpressionParameters: Equatable, Sendable {
    /// The most apps of one call.
    package static let maximumApps = 100

    /// The apps that were seen, 1 to 100.
    package var apps: [String]
    /// The app that showed them.
    package var host: String?

    /// Parameters as given.
    package init(apps: [String], host: String? = nil) {
        self.apps = apps
        self.host = host
    }
}

/// What `launch` and `review-reset` take.
package struct LaunchParameters: Equatable, Sendable {
    /// The app, a well-formed id that the catalog need not know.
    package var app: String

    /// Parameters as given.
    package init(app: String) {
        self.app = app
    }
}

/// What `review-eligible` and `review-request` take.
package struct ReviewParameters: Equatable, Sendable {
    /// The app that would ask, a well-formed id that the catalog need not know.
    package var app: String
    /// The person's completed successes, 0 or more.
    package var completed: Int
    /// The app's number in the store, for one that the catalog does not know.
    package var appStoreID: String?
    /// Whether the person can only be sent to a page: without one, or without a network, nothing is granted.
    package var needsPage: Bool

    /// Parameters as given.
    package init(app: String, completed: Int, appStoreID: String? = nil, needsPage: Bool = false) {
        self.app = app
        self.completed = completed
        self.appStoreID = appStoreID
        self.needsPage = needsPage
    }
}

/// What `subscribe` takes.
package struct SubscribeParameters: Equatable, Sendable {
    /// The kinds that are wanted; nil for all.
    package var events: [EventKind]?
    /// Only the impressions and taps of this host.
    package var host: String?
    /// Replay what came after this event, 0 or more.
    package var since: Int?
    /// The daemon's start in which `since` was counted.
    package var epoch: String?

    /// Parameters as given.
    package init(events: [EventKind]? = nil, host: String? = nil, since: Int? = nil, epoch: String? = nil) {
        self.events = events
        self.host = host
        self.since = since
        self.epoch = epoch
    }
}

/// What `refresh` takes.
package struct RefreshParameters: Equatable, Sendable {
    /// Whether the answer comes when the fetch is done.
    package var wait: Bool

    /// Parameters as given.
    package init(wait: Bool = true) {
        self.wait = wait
    }
}
