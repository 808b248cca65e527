/// The table of the protocol's methods, from which requests are dispatched and `rpc.discover` is generated.
package enum MethodTable {
    /// All methods, in the order in which they are listed.
    package static let all: [MethodDescription] = [
        MethodDescription(
            "list", "Lists the apps that an app may promote, in the catalog's order, and says how fresh the list is.",
            [
                .host, .language, .limit, .waitForFirstFetch, .exclude, .unlaunched, .hidden, .icons, .catalog,
            ], .list, errors: [.unknownCatalog],
            isRepeatable: true
        ) { arguments in
            .list(
                ListParameters(
                    host: arguments["host"].flatMap(AppID.id(in:)),
                    language: (arguments["language"]?.outsideText).map(TaglineLanguage.init),
                    limit: arguments["limit"]?.integer,
                    wait: arguments["wait"]?.boolean ?? false,
                    exclude: arguments["exclude"]?.elements.compactMap(AppID.id(in:)) ?? [],
                    unlaunched: arguments["unlaunched"]?.boolean ?? false,
                    hidden: arguments["hidden"]?.word() ?? .without,
                    icons: arguments["icons"]?.boolean ?? false, catalog: arguments.catalog))
        },
        MethodDescription(
            "icon", "Returns the picture of an app, for a client that cannot read the file that list names.",
            [.app, .catalog], .icon, errors: [.unknownApp, .noCatalog, .unknownCatalog], isRepeatable: true
        ) { arguments in
            .icon(AppParameters(app: arguments.app, catalog: arguments.catalog))
        },
        MethodDescription(
            "tap", "Says where to send the person who tapped an app, and emits a tap event.",
            [.app, .host, .language, .catalog], .tap, errors: [.unknownApp, .noCatalog, .unknownCatalog]
        ) { arguments in
            .tap(
                TapParameters(
                    app: arguments.app,
                    host: arguments["host"].flatMap(AppID.id(in:)),
                    language: (arguments["language"]?.outsideText).map { Language(tag: $0) },
                    catalog: arguments.catalog))
        },
        MethodDescription(
            "impression", "Emits an impression event for each app that was seen, or none if one of them is unknown.",
            [.apps, .host, .catalog], .impression, errors: [.unknownApp, .noCatalog, .unknownCatalog]
        ) { arguments in
            .impression(
                ImpressionParameters(
                    apps: arguments["apps"]?.elements.compactMap { $0.outsideText.map(AppID.id(orShown:)) } ?? [],
                    host: arguments["host"].flatMap(AppID.id(in:)), catalog: arguments.catalog))
        },
        MethodDescription(
            "launch", "Records the first launch of an app; later calls change nothing.", [.launchedApp, .catalog],
            .launch,
            errors: [.notStored, .unknownCatalog], isRepeatable: true
        ) { arguments in
            .launch(AppParameters(app: arguments.app, catalog: arguments.catalog))
        },
        MethodDescription(
            "review-eligible", "Says whether an app may ask for a review now and, if not, why. Records nothing.",
            [.launchedApp, .completed, .appStoreID, .needsPage, .catalog], .reviewEligible,
            errors: [.notStored, .unknownCatalog], isRepeatable: true
        ) { .reviewEligible(ReviewParameters($0)) },
        MethodDescription(
            "review-request", "Grants a review if the app may ask for one now, and records the grant before the reply.",
            [.launchedApp, .completed, .appStoreID, .needsPage, .catalog], .reviewRequest,
            errors: [.notStored, .unknownCatalog]
        ) { .reviewRequest(ReviewParameters($0)) },
        MethodDescription(
            "review-return", "Gives a review back that was granted, because no person could see its page.",
            [.launchedApp, .requestedAt, .catalog], .reviewReturn, errors: [.notStored, .unknownCatalog],
            isRepeatable: true
        ) { arguments in
            .reviewReturn(
                ReturnParameters(
                    app: arguments.app, requestedAt: arguments["requestedAt"]?.time ?? Timestamp(seconds: 0),
                    catalog: arguments.catalog))
        },
        MethodDescription(
            "review-reset", "Forgets the first launch and the review requests of an app.", [.launchedApp, .catalog],
            .reviewReset,
            errors: [.notStored, .unknownCatalog], isRepeatable: true
        ) { arguments in
            .reviewReset(AppParameters(app: arguments.app, catalog: arguments.catalog))
        },
        MethodDescription(
            "hide", "Leaves an app out of this person's lists from now on.", [.app, .catalog], .visibility,
            errors: [.unknownApp, .noCatalog, .notStored, .unknownCatalog], isRepeatable: true
        ) { .hide(AppParameters(app: $0.app, catalog: $0.catalog)) },
        MethodDescription(
            "show", "Puts a hidden app back in this person's lists.", [.launchedApp, .catalog], .visibility,
            errors: [.notStored, .unknownCatalog], isRepeatable: true
        ) { .show(AppParameters(app: $0.app, catalog: $0.catalog)) },
        MethodDescription(
            "refresh", "Fetches the catalog now.", [.waitForOutcome, .accept, .catalog], .refresh,
            errors: [.noOrigin, .unknownCatalog]
        ) { arguments in
            .refresh(
                RefreshParameters(
                    wait: arguments["wait"]?.boolean ?? true, accept: arguments["accept"]?.boolean ?? false,
                    catalog: arguments.catalog))
        },
        MethodDescription(
            "clear", "Deletes the cached catalog and fetches it again as soon as that is allowed.", [.catalog], .clear,
            errors: [.notStored, .unknownCatalog]
        ) { .clear(ClearParameters(catalog: $0.catalog)) },
        MethodDescription(
            "subscribe", "Sends events on this connection, one per line, as notifications of the method \"event\".",
            [.events, .onlyHost, .since, .epoch, .onlyCatalog], .subscribe, errors: [.unknownCatalog]
        ) { arguments in
            .subscribe(
                SubscribeParameters(
                    events: arguments["events"]?.elements.compactMap { $0.word() },
                    host: arguments["host"].flatMap(AppID.id(in:)),
                    since: arguments["since"]?.integer,
                    epoch: arguments["epoch"].map { $0.ascii(upTo: 64) ?? "" }, catalog: arguments.catalog))
        },
        MethodDescription("status", "Reports the state of the daemon.", [], .status, isRepeatable: true) { _ in
            .status
        },
        MethodDescription(
            "reload", "Reads the configuration again.", [], .reload, errors: [.badConfiguration]
        ) { _ in .reload },
        MethodDescription(
            "diagnose", "Checks what promod itself can use: its directories, its sandbox and certificates.", [.caFile],
            .diagnose, isRepeatable: true
        ) { .diagnose(DiagnoseParameters(caFile: $0["caFile"]?.outsideText)) },
        MethodDescription("rpc.discover", "Returns this document.", [], .discover, isRepeatable: true) { _ in
            .discover
        },
    ]

    /// The method with a name; nil if there is none.
    package static func method(named name: String) -> MethodDescription? {
        all.first { $0.name == name }
    }

    /// The method whose name a value is; nil if there is none.
    static func method(named value: JSONValue) -> MethodDescription? {
        all.first { value.isString($0.name) }
    }
}

extension ReviewParameters {
    fileprivate init(_ arguments: Arguments) {
        self.init(
            app: arguments.app, completed: arguments["completed"]?.integer ?? 0,
            appStoreID: arguments["appStoreID"]?.ascii(upTo: StoreNumber.maximumLength),
            needsPage: arguments["needsPage"]?.boolean ?? false,
            catalog: arguments.catalog)
    }
}

extension Arguments {
    /// The id of the app; if the text is no id, what a message shows of it.
    fileprivate var app: String { (self["app"]?.outsideText).map(AppID.id(orShown:)) ?? "" }

    fileprivate var catalog: CatalogReference? { self["catalog"].flatMap { CatalogReference($0) } }
}

extension ParameterDescription {
    private static let catalogNames = ["name", "url", "jsonURL", "origin", "publisher"]

    fileprivate static let catalog = ParameterDescription(
        "catalog", .catalog("the default one if it is left out"), meantBy: catalogNames)
    fileprivate static let onlyCatalog = ParameterDescription(
        "catalog", .catalog("the only one whose events to send"), meantBy: catalogNames)
    fileprivate static let host = ParameterDescription(
        "host", .appID("the id of the app that asks"), meantBy: ["currentAppID", "currentApp", "hostID", "host_id"])
    fileprivate static let app = ParameterDescription(
        "app", .string("an app's id"), isRequired: true, meantBy: ["id", "appID", "appId", "app_id"])
    fileprivate static let apps = ParameterDescription(
        "apps", .strings(1...ImpressionParameters.maximumApps, "app ids"), isRequired: true,
        meantBy: ["app", "ids", "appIDs", "app_ids"])
    fileprivate static let events = ParameterDescription(
        "events", .choices(EventKind.allCases.map(\.rawValue), "the kinds to send, all by default"),
        meantBy: ["event", "types", "kinds"])
    fileprivate static let onlyHost = ParameterDescription(
        "host", .appID("the id of the only app whose impressions and taps to send"),
        meantBy: ["currentAppID", "currentApp", "app", "hostID", "host_id"])
    fileprivate static let since = ParameterDescription(
        "since", .integer(minimum: 0, "the seq after which to replay events"), meantBy: ["seq", "after", "from"])
    fileprivate static let epoch = ParameterDescription(
        "epoch", .string("the daemon run in which since was counted"), meantBy: ["start"])
    fileprivate static let launchedApp = ParameterDescription(
        "app", .appID("an app's id"), isRequired: true,
        meantBy: ["id", "appID", "appId", "app_id", "host", "currentAppID"])
    fileprivate static let completed = ParameterDescription(
        "completed", .integer(minimum: 0, "how many successes the person has completed"), isRequired: true,
        meantBy: ["completedWorkoutsCount", "completedCount", "completions", "count", "workouts"])
    fileprivate static let appStoreID = ParameterDescription(
        "appStoreID", .storeNumber("for an app that the catalog does not know"),
        meantBy: ["appStoreId", "storeID", "storeId", "app_store_id", "store"])
    fileprivate static let needsPage = ParameterDescription(
        "needsPage", .boolean("whether to refuse unless the review's page is known and there is a network"),
        meantBy: ["page", "needs_page"])
    fileprivate static let language = ParameterDescription(
        "language", .string("a BCP 47 tag such as ko-KR or a locale such as ja_JP.UTF-8"),
        meantBy: ["lang", "locale", "hl"])
    fileprivate static let limit = ParameterDescription(
        "limit", .integer(minimum: 1, "the most apps to list"), meantBy: ["count", "max", "maximum", "first", "n"])
    fileprivate static let waitForFirstFetch = ParameterDescription(
        "wait", .boolean("whether to wait for a first fetch that is under way, and with icons for pictures"),
        meantBy: ["block", "sync"])
    fileprivate static let exclude = ParameterDescription(
        "exclude", .strings(0...ListParameters.maximumExcluded, "the ids of apps that are left out"),
        meantBy: ["without", "excluded", "except", "omit", "not"])
    fileprivate static let unlaunched = ParameterDescription(
        "unlaunched", .boolean("whether to leave out the apps whose first launch is recorded"),
        meantBy: ["new", "uninstalled", "notLaunched", "launched"])
    fileprivate static let hidden = ParameterDescription(
        "hidden",
        .choice(HiddenApps.allCases.map(\.rawValue), "whether to list the apps that were hidden; without by default"),
        meantBy: ["hide", "all", "includeHidden", "showHidden"])
    fileprivate static let icons = ParameterDescription(
        "icons", .boolean("whether to add iconPath, and to have missing and old pictures fetched"),
        meantBy: ["icon", "iconPath", "pictures", "images"])
    fileprivate static let requestedAt = ParameterDescription(
        "requestedAt", .time("when the request was recorded, as review-request returned it"), isRequired: true,
        meantBy: ["at", "grantedAt", "time", "requested_at"])
    fileprivate static let accept = ParameterDescription(
        "accept", .boolean("whether to take a catalog that lost more than half of its apps"), meantBy: ["force", "yes"])
    fileprivate static let caFile = ParameterDescription(
        "caFile", .path("the only file to check, whether promod may read it"),
        meantBy: ["file", "path", "ca_file", "ca-file"])
    fileprivate static let waitForOutcome = ParameterDescription(
        "wait", .boolean("whether to reply only when the fetch has ended"), meantBy: ["block", "sync"])
}
