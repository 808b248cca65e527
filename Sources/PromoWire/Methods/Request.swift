/// A request whose parameters have been checked.
package enum Request: Equatable, Sendable {
    case list(ListParameters)
    case icon(AppParameters)
    case tap(TapParameters)
    case impression(ImpressionParameters)
    case launch(AppParameters)
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReturn(ReturnParameters)
    case reviewReset(AppParameters)
    case hide(AppParameters)
    case show(AppParameters)
    case refresh(RefreshParameters)
    case clear(ClearParameters)
    case subscribe(SubscribeParameters)
    case status
    case reload
    case diagnose(DiagnoseParameters)
    case discover

    /// The method's name.
    package var method: String {
        switch self {
        case .list: "list"
        case .icon: "icon"
        case .tap: "tap"
        case .impression: "impression"
        case .launch: "launch"
        case .reviewEligible: "review-eligible"
        case .reviewRequest: "review-request"
        case .reviewReturn: "review-return"
        case .reviewReset: "review-reset"
        case .hide: "hide"
        case .show: "show"
        case .refresh: "refresh"
        case .clear: "clear"
        case .subscribe: "subscribe"
        case .status: "status"
        case .reload: "reload"
        case .diagnose: "diagnose"
        case .discover: "rpc.discover"
        }
    }

    /// Whether subscribers may be told of it.
    package var mayCauseEvents: Bool {
        switch self {
        case .tap, .impression: true
        case .list, .icon, .launch, .reviewEligible, .reviewRequest, .reviewReturn, .reviewReset, .hide, .show,
            .refresh, .clear, .subscribe, .status, .reload, .diagnose, .discover:
            false
        }
    }

    /// Whether the reply may have to wait for a fetch.
    package var waitsForFetch: Bool {
        switch self {
        case .list(let parameters): parameters.wait
        case .refresh(let parameters): parameters.wait
        case .icon, .tap, .impression, .launch, .reviewEligible, .reviewRequest, .reviewReturn, .reviewReset, .hide,
            .show, .clear, .subscribe, .status, .reload, .diagnose, .discover:
            false
        }
    }

    /// With which requests of its line it waits for its reply.
    package enum WaitingGroup: Sendable {
        case alone
        /// Those that the control plane answers soon, and that do not depend on each other's replies.
        case command
        case reload
    }

    /// With which requests of its line this one waits for its reply. Only the control plane answers those that wait together.
    package var waitingGroup: WaitingGroup {
        switch self {
        case .launch, .reviewRequest, .reviewReturn, .reviewReset, .diagnose, .clear: .command
        case .reload: .reload
        case .list, .icon, .tap, .impression, .reviewEligible, .hide, .show, .refresh, .subscribe, .status, .discover:
            .alone
        }
    }

    /// Writes the members of `params`.
    func write(parameters writer: inout JSONWriter) {
        if let catalog {
            writer.name("catalog")
            catalog.write(to: &writer)
        }
        switch self {
        case .list(let parameters):
            writer.present("host", parameters.host)
            writer.present("language", parameters.language?.parameter)
            if let limit = parameters.limit { writer.member("limit", limit) }
            if parameters.wait { writer.member("wait", true) }
            if !parameters.exclude.isEmpty { writer.member("exclude", parameters.exclude) }
            if parameters.unlaunched { writer.member("unlaunched", true) }
            if parameters.hidden != .without { writer.member("hidden", parameters.hidden.rawValue) }
            if parameters.icons { writer.member("icons", true) }
        case .tap(let parameters):
            writer.member("app", parameters.app)
            writer.present("host", parameters.host)
            writer.present("language", parameters.language?.rawValue)
        case .impression(let parameters):
            writer.member("apps", parameters.apps)
            writer.present("host", parameters.host)
        case .icon(let parameters), .launch(let parameters), .reviewReset(let parameters), .hide(let parameters),
            .show(let parameters):
            writer.member("app", parameters.app)
        case .reviewEligible(let parameters), .reviewRequest(let parameters):
            writer.member("app", parameters.app)
            writer.member("completed", parameters.completed)
            writer.present("appStoreID", parameters.appStoreID)
            if parameters.needsPage { writer.member("needsPage", true) }
        case .reviewReturn(let parameters):
            writer.member("app", parameters.app)
            writer.member("requestedAt", parameters.requestedAt)
        case .refresh(let parameters):
            writer.member("wait", parameters.wait)
            if parameters.accept { writer.member("accept", true) }
        case .subscribe(let parameters):
            if let events = parameters.events { writer.member("events", events.map(\.rawValue)) }
            writer.present("host", parameters.host)
            if let since = parameters.since { writer.member("since", since) }
            writer.present("epoch", parameters.epoch)
        case .diagnose(let parameters):
            writer.present("caFile", parameters.caFile.map { String(decoding: $0.bytes, as: UTF8.self) })
        case .clear, .status, .reload, .discover: break
        }
    }

    /// The catalog that the request names; nil if it names none.
    package var catalog: CatalogReference? {
        switch self {
        case .list(let parameters): parameters.catalog
        case .tap(let parameters): parameters.catalog
        case .impression(let parameters): parameters.catalog
        case .icon(let parameters), .launch(let parameters), .reviewReset(let parameters), .hide(let parameters),
            .show(let parameters):
            parameters.catalog
        case .reviewEligible(let parameters), .reviewRequest(let parameters): parameters.catalog
        case .reviewReturn(let parameters): parameters.catalog
        case .refresh(let parameters): parameters.catalog
        case .clear(let parameters): parameters.catalog
        case .subscribe(let parameters): parameters.catalog
        case .status, .reload, .diagnose, .discover: nil
        }
    }
}

/// The parameters of `list`.
package struct ListParameters: Equatable, Sendable {
    /// The id of the app that asks; its rule applies, and it is not listed itself.
    package var host: String?
    /// The language of the taglines; nil for the daemon's own.
    package var language: TaglineLanguage?
    /// The most apps to list, 1 or more.
    package var limit: Int?
    /// Whether to wait for a first fetch that is under way.
    package var wait: Bool
    /// The ids of apps that are left out, at most 100.
    package var exclude: [String]
    /// Whether the apps whose first launch is recorded are left out.
    package var unlaunched: Bool
    /// Whether the apps that the person has hidden are listed.
    package var hidden: HiddenApps
    /// Whether to say where the pictures of the apps are, and to have missing and old ones fetched.
    package var icons: Bool
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// The most apps that are left out by id.
    package static let maximumExcluded = 100

    /// Creates parameters; those that are nil, empty or false are left out.
    package init(
        host: String? = nil, language: TaglineLanguage? = nil, limit: Int? = nil, wait: Bool = false,
        exclude: [String] = [], unlaunched: Bool = false, hidden: HiddenApps = .without, icons: Bool = false,
        catalog: CatalogReference? = nil
    ) {
        self.host = host
        self.language = language
        self.limit = limit
        self.wait = wait
        self.exclude = exclude
        self.unlaunched = unlaunched
        self.hidden = hidden
        self.icons = icons
        self.catalog = catalog
    }
}

/// Which apps a list has, as to those that the person has hidden.
package enum HiddenApps: String, CaseIterable, Sendable {
    case without, with, only
}

/// The language of the taglines in a list.
package enum TaglineLanguage: Equatable, Sendable {
    /// One language. An app without a translation has its tagline in English.
    case one(Language)
    /// `"*"`: all translations, as an object.
    case all

    /// Reads a language parameter.
    package init(_ tag: OutsideText) {
        self = tag == "*" ? .all : .one(Language(tag: tag))
    }

    /// The word for the language in a reply; nil for all.
    package var lookedFor: String? {
        switch self {
        case .one(let language): language.rawValue
        case .all: nil
        }
    }
}

/// The parameters of `tap`.
package struct TapParameters: Equatable, Sendable {
    /// The id of the app that was tapped.
    package var app: String
    /// The id of the app that showed it.
    package var host: String?
    /// The language of the offline message; nil for the daemon's own.
    package var language: Language?
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; those that are nil are left out.
    package init(
        app: String, host: String? = nil, language: Language? = nil, catalog: CatalogReference? = nil
    ) {
        self.app = app
        self.host = host
        self.language = language
        self.catalog = catalog
    }
}

/// The parameters of `impression`.
package struct ImpressionParameters: Equatable, Sendable {
    /// The most apps in one call.
    package static let maximumApps = 100

    /// The ids of the apps that were seen, 1 to 100.
    package var apps: [String]
    /// The id of the app that showed them.
    package var host: String?
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; those that are nil are left out.
    package init(apps: [String], host: String? = nil, catalog: CatalogReference? = nil) {
        self.apps = apps
        self.host = host
        self.catalog = catalog
    }
}

/// The parameters of `icon`, `launch`, `review-reset`, `hide` and `show`.
package struct AppParameters: Equatable, Sendable {
    /// The id of the app; only for `icon` and `hide` it has to be in the catalog.
    package var app: String
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; a nil catalog is left out.
    package init(app: String, catalog: CatalogReference? = nil) {
        self.app = app
        self.catalog = catalog
    }
}

/// The parameters of `review-eligible` and `review-request`.
package struct ReviewParameters: Equatable, Sendable {
    /// The id of the app that would ask, which need not be in the catalog.
    package var app: String
    /// The number of the person's completed successes, 0 or more.
    package var completed: Int
    /// The app's number in the App Store, for an app that is not in the catalog.
    package var appStoreID: String?
    /// Whether the client can only send the person to a page. Then nothing is granted unless a page is known and there is a network.
    package var needsPage: Bool
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; those that are nil are left out.
    package init(
        app: String, completed: Int, appStoreID: String? = nil, needsPage: Bool = false,
        catalog: CatalogReference? = nil
    ) {
        self.app = app
        self.completed = completed
        self.appStoreID = appStoreID
        self.needsPage = needsPage
        self.catalog = catalog
    }
}

/// The parameters of `review-return`.
package struct ReturnParameters: Equatable, Sendable {
    /// The id of the app.
    package var app: String
    /// When the request was recorded.
    package var requestedAt: Timestamp
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; a nil catalog is left out.
    package init(app: String, requestedAt: Timestamp, catalog: CatalogReference? = nil) {
        self.app = app
        self.requestedAt = requestedAt
        self.catalog = catalog
    }
}

/// The parameters of `subscribe`.
package struct SubscribeParameters: Equatable, Sendable {
    /// The kinds of events to send; nil for all.
    package var events: [EventKind]?
    /// The id of the only host whose impressions and taps to send; nil for all hosts.
    package var host: String?
    /// The sequence number after which to replay events, 0 or more; nil to replay none.
    package var since: Int?
    /// The identifier of the daemon's run in which `since` was counted.
    package var epoch: String?
    /// The catalog whose events to send; nil for those of all.
    package var catalog: CatalogReference?

    /// Creates parameters; those that are nil are left out.
    package init(
        events: [EventKind]? = nil, host: String? = nil, since: Int? = nil, epoch: String? = nil,
        catalog: CatalogReference? = nil
    ) {
        self.events = events
        self.host = host
        self.since = since
        self.epoch = epoch
        self.catalog = catalog
    }
}

/// The parameters of `refresh`.
package struct RefreshParameters: Equatable, Sendable {
    /// Whether to reply only when the fetch has ended.
    package var wait: Bool
    /// Whether to take a catalog that would be held back.
    package var accept: Bool
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; a nil catalog is left out.
    package init(wait: Bool = true, accept: Bool = false, catalog: CatalogReference? = nil) {
        self.wait = wait
        self.accept = accept
        self.catalog = catalog
    }
}

/// The parameters of `clear`.
package struct ClearParameters: Equatable, Sendable {
    /// The catalog; nil for the default one.
    package var catalog: CatalogReference?

    /// Creates parameters; a nil catalog is left out.
    package init(catalog: CatalogReference? = nil) {
        self.catalog = catalog
    }
}

/// The parameters of `diagnose`.
package struct DiagnoseParameters: Equatable, Sendable {
    /// The length of the longest path, in bytes.
    package static let maximumPath = 4096

    /// The path of the only file to check, whether promod may read it; nil to check everything that is configured.
    package var caFile: OutsideText?

    /// Creates parameters; a nil path is left out.
    package init(caFile: OutsideText? = nil) {
        self.caFile = caFile
    }
}

extension TaglineLanguage {
    fileprivate var parameter: String { lookedFor ?? "*" }
}

extension JSONWriter {
    /// Writes a member, unless its value is nil.
    fileprivate mutating func present(_ name: String, _ string: String?) {
        if let string { member(name, string) }
    }
}
