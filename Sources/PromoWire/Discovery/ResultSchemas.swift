/// The schema of each method's result, and of the parameter that names a catalog.
extension ValueSchema {
    static let list = object(
        freshness + [
            member("canRetry", .boolean, "while empty, whether a person may usefully try again now"),
            member(
                "retryAt", .nullable(.time), "while empty, when promod itself tries next; null if no attempt is planned"
            ),
            member(
                "hostKnown", .nullable(.boolean),
                "whether the catalog has the host as an app or in a rule; null while there is no catalog"),
            member("language", .nullable(language), "the language of the taglines; null for \"*\""),
            member("apps", .array(app), "what the host may promote, in the catalog's order"),
            member(
                "emptyBecause", .choice("Emptiness", Emptiness.self),
                "why there are none: the host's rule, the request's exclusions, all others were launched, the person has hidden the rest, or no catalog is configured",
                isRequired: false),
        ]
    ).named("ListResult")

    static let tap = object([
        member("app", .string, "the id of the app that was tapped"),
        member("appStoreID", .string, "the app's number in the App Store"),
        member(
            "presentation", .choice(["store", "offline"]).named("Presentation"),
            "whether to open the store or to show the message"),
        member("message", .string, "what to show if there is no network", isRequired: false),
        member("storeURL", .string, "the address of the app's page in the store"),
    ]).named("TapResult")

    static let icon = object([
        member("app", .string, "the id of the app"),
        member(
            "mediaType", .nullable(.choice(IconResult.Picture.mediaTypes).named("MediaType")),
            "the picture's media type"),
        member("data", .nullable(.string), "the picture in base64; null if there is none on disk"),
    ]).named("IconResult")

    static let impression = object([member("emitted", .integer, "how many events were emitted")]).named(
        "ImpressionResult")

    static let launch = object([
        member("app", .string, "the id of the app that was launched"),
        member("firstLaunch", .time, "when the app was first launched"),
        member("recorded", .boolean, "whether this call recorded the first launch"),
    ]).named("LaunchResult")

    static let reviewEligible = object(
        [
            member("app", .string, "the id of the app that would ask"),
            member("eligible", .boolean, "whether the app may ask for a review now"),
        ] + reviewWaits
    ).named("ReviewEligibleResult")

    static let reviewRequest = object(
        [
            member("app", .string, "the id of the app that asks"),
            member("granted", .boolean, "whether the app may ask for a review now; if so, the request is on disk"),
        ] + reviewWaits + [
            member("reviewURL", .nullable(.string), "the page on which to write the review; null if it is not known"),
            member(
                "requestedAt", .nullable(.time),
                "when the request was recorded, by which review-return gives it back; null if none was"),
        ]
    ).named("ReviewRequestResult")

    static let reviewReturn = object([
        member("app", .string, "the id of the app"),
        member(
            "returned", .boolean,
            "whether the request does not count any more; false if it is not the latest, or older than 10 minutes"),
    ]).named("ReviewReturnResult")

    static let reviewReset = object([
        member("app", .string, "the id of the app"),
        member("reset", .boolean, "whether there was anything to forget about the app"),
    ]).named("ReviewResetResult")

    static let visibility = object([
        member("app", .string, "the id of the app"),
        member("hidden", .boolean, "whether lists leave the app out from now on"),
        member("changed", .boolean, "whether this call changed that"),
    ]).named("VisibilityResult")

    static let refresh = object([
        member("outcome", outcome, "how the refresh ended"),
        member("generation", .nullable(.string), "the generation that is served now; null if nothing is served"),
        member("error", .nullable(failure), "why the refresh failed, or why the catalog could not be stored"),
        member("retryAt", .nullable(.time), "when the next attempt is planned, or when a throttled refresh is allowed"),
        member(
            "redirectedTo", .string,
            "the address that answered, without user, password and query, if the URL redirects there",
            isRequired: false),
    ]).named("RefreshResult")

    static let clear = object([member("cleared", .boolean, "true")]).named("ClearResult")

    static let subscribe = object([
        member("subscribed", .array(.choice("EventKind", EventKind.self)), "the kinds of events to come"),
        member("epoch", .string, "the identifier of the daemon's run, within which seq counts"),
        member("seq", .integer, "the sequence number of the latest event"),
        member("replayed", .integer, "how many of the selected events follow at once"),
        member("missed", .nullable(.integer), "how many of them are no longer kept; null if that is not known"),
    ]).named("SubscribeResult")

    static let status = object(
        [
            member("version", .string, "promod's version"),
            member("protocol", .integer, "the version of this protocol"),
            member("epoch", .string, "the identifier of the daemon's run"),
            member("pid", .integer, "the daemon's process id"),
            member("startedAt", .time, "when the daemon started"),
            member("crashes", .integer, "how many runs before this one ended unexpectedly in a row"),
            member("online", .boolean, "whether the kernel has a route to a global address"),
        ] + catalogState + [
            member("socket", socket, "the socket and its connections"),
            member("queries", queries, "requests carried out since the start, by method, and error replies sent"),
            member("configuration", configuration, "the state of the configuration"),
            member("owner", .nullable(owner), "another promod that keeps the cache; null if this one keeps it"),
            member("reviews", reviews, "the state of the review history"),
            member("catalogs", .array(catalog), "all configured catalogs; the members above are about the default one"),
        ]
    ).named("StatusResult")

    static let reload = object([member("reloaded", .boolean, "true: the configuration is in force")]).named(
        "ReloadResult")

    static let diagnose = object([
        member(
            "checks",
            .array(
                object([
                    member("subject", .string, "what was checked, in a word or two"),
                    member("verdict", .choice("Verdict", Diagnosis.Verdict.self), "whether it works"),
                    member("text", .string, "what was found, and what to do"),
                ]).named("Check")), "what was checked")
    ]).named("DiagnoseResult")

    static let discover = object([
        member("openrpc", .string, "the version of OpenRPC"),
        member("info", .object([]), "the name and version of the daemon"),
        member("methods", .array(.object([])), "the methods"),
        member("components", .object([]), "the schemas and the errors"),
        member("x-events", .array(.object([])), "the events that subscribe sends"),
    ]).named("DiscoverResult")
}

extension ValueSchema {
    /// A catalog's name or address, or an object with both.
    static let catalogReference = either(
        .pattern(CatalogReference.pattern),
        object(
            [
                member("name", .pattern(CatalogReference.namePattern), "the catalog's name"),
                member("url", .pattern(CatalogReference.addressPattern), "its https address"),
            ], isClosed: true
        ).named("CatalogReference"))

    private static let language = choice("Language", Language.self)
    private static let outcome = choice("Outcome", RefreshResult.Outcome.self)
    static let state = choice("State", Freshness.State.self)

    private static let freshness = [
        member(
            "state", state,
            "loaded: fresh; cached: expired; loading: the first fetch is under way; empty: nothing to serve"),
        member("source", .choice("Source", Freshness.Source.self), "where the catalog comes from"),
        member("generation", .nullable(.string), "the first 16 hexadecimal digits of the catalog's SHA-256"),
        member("fetchedAt", .nullable(.time), "when the catalog was last fetched or confirmed"),
        member(
            "originAt", .nullable(.time),
            "when the origin last sent or confirmed it, earlier than fetchedAt if it came from a cache"),
        member("expiresAt", .nullable(.time), "when the catalog expires"),
        member(
            "signedUntil", .time, "when the time of the publisher's signature ends, if it has an end", isRequired: false
        ),
    ]

    /// A string in one language, or an object of all translations.
    private static let taglines = either(
        .string,
        .object([
            member("en", .string, "English"),
            member("ko", .string, "Korean", isRequired: false),
            member("ja", .string, "Japanese", isRequired: false),
        ]).named("Taglines"))

    private static let app = object([
        member("id", .string, AppID.form),
        member("name", .string, "the app's name"),
        member("appStoreID", .string, "the app's number in the App Store"),
        member("iconURL", .string, "the https address of the app's icon"),
        member("category", .string, "the label of the app's category; with \"*\", in English"),
        member(
            "categories",
            object([
                member("ko", .string, "Korean", isRequired: false),
                member("ja", .string, "Japanese", isRequired: false),
            ]).named("Categories"), "with \"*\": the translations of the category, if the catalog has any",
            isRequired: false),
        member("tagline", taglines, "the tagline in the reply's language; with \"*\", an object of all translations"),
        member("storeURL", .string, "the address of the app's page in the store"),
        member(
            "iconPath", .nullable(.string), "with icons: the absolute path of the app's picture; null if there is none",
            isRequired: false),
    ]).named("App")

    private static let reviewWaits = [
        member("reasons", .array(.choice("ReviewReason", ReviewResult.Reason.self)), "why the app may not"),
        member("eligibleAt", .nullable(.time), "when the last wait ends; after a grant, the earliest time of the next"),
        member(
            "completionsNeeded", .integer, "how many successes are required, if there are too few", isRequired: false),
        member("advice", .string, "what to do first", isRequired: false),
    ]

    private static let failure = object([
        member("code", .choice("FailureCode", Failure.Code.self), "the kind of failure, for programs to test"),
        member("message", .string, "a sentence for people"),
    ]).named("Failure")

    private static let proxy = object([
        member("url", .string, "the proxy's address, without user and password"),
        member("source", .string, "what sets it: catalog.proxy, or an environment variable"),
    ]).named("Proxy")

    static let heldBack = object([
        member("since", .time, "when it was first fetched"),
        member("apps", .integer, "how many apps it has"),
        member("lost", .integer, "how many of the served apps it lacks"),
    ]).named("HeldBack")

    private static let refreshStatus = object([
        member("url", .nullable(.string), "the origin's address, without user, password and query"),
        member(
            "redirectedTo", .nullable(.string),
            "the address that sent what is held, likewise, if the URL redirects there; null if it does not"),
        member("proxy", .nullable(proxy), "the proxy through which it is asked; null if there is none"),
        member("activity", .choice(["idle", "loading"]).named("Activity"), "whether a fetch is under way"),
        member("nextAt", .nullable(.time), "when the next attempt is planned"),
        member("reason", .choice("RefreshReason", RefreshStatus.Reason.self), "why it is planned for then"),
        member(
            "retryAfter", .nullable(.time), "the end of the pause for which the origin asked; null if there is none"),
        member(
            "refusedUntil", .nullable(.time),
            "until when a refresh is refused, for that pause or because too many were requested; null if none is"),
        member(
            "spread", .nullable(.integer),
            "the spread in force, in seconds: refresh.spread, but at most nine tenths of the interval"),
        member("attempt", .integer, "the number of failures in a row"),
        member(
            "gone", .integer,
            "the number of answers in a row, 404 or 410, that there is nothing at the address; from 2 on it is asked once per refresh.interval"
        ),
        member("attempts", .integer, "how many attempts have begun since the daemon started"),
        member("failures", .integer, "how many of them failed"),
        member("lastAttemptAt", .nullable(.time), "when the last attempt began"),
        member("lastOutcome", .nullable(outcome), "how it ended"),
        member(
            "lastDuration", .nullable(.integer),
            "how long the last fetch since the daemon's start took, in milliseconds"),
        member("lastError", .nullable(failure), "why it failed"),
        member(
            "clockAhead", .nullable(.integer),
            "by how many seconds this machine's clock is ahead of the origin's, negative if it is behind; null if that is not known"
        ),
        member("heldBack", .nullable(heldBack), "a catalog that lost more than half of its apps and is not served yet"),
    ]).named("RefreshStatus")

    private static let cache = object([
        member("path", .string, "the path of the file"),
        member("stored", .boolean, "whether the served catalog is in the file"),
        member("error", .nullable(.string), "why the catalog in the file is not served, or the served one not in it"),
    ]).named("CacheStatus")

    private static let catalogState =
        [
            member("apps", .integer, "the number of apps in the catalog")
        ] + freshness + [
            member(
                "emptyBecause", .choice([Emptiness.notConfigured.rawValue]),
                "if there is no catalog because none is configured", isRequired: false),
            member("refresh", refreshStatus, "the state of refreshes"),
            member("cache", cache, "the cache file"),
        ]

    private static let catalog = object(
        [
            member("name", .string, CatalogReference.nameForm),
            member("file", .nullable(.string), "the file that configures it; null if none does"),
            member("error", .nullable(.string), "why it is not fetched: what is wrong in the file"),
        ] + catalogState + [
            member(
                "alsoNamed", .array(alias), "the other files that name its address; left out if there are none",
                isRequired: false)
        ]
    ).named("CatalogStatus")

    private static let alias = object([
        member("name", .string, CatalogReference.nameForm),
        member("file", .string, "the path of the file"),
        member("error", .nullable(.string), "what is wrong in the file; null if nothing is"),
    ]).named("CatalogAlias")

    private static let owner = object([
        member("host", .nullable(.string), "the name of its machine; null if it is this one, or is not known"),
        member("pid", .nullable(.integer), "its process id; null if that is not known"),
    ]).named("CacheOwner")

    private static let ignoredFile = object([
        member("file", .string, "the path of the file"),
        member("error", .string, "why it is ignored"),
        member(
            "cause", .choice("IgnoredCause", IgnoredFile.Cause.self), "what keeps promod from using it"),
        member("catalog", .nullable(.string), "the name of its catalog; null if it has none"),
    ]).named("IgnoredFile")

    private static let socket = object([
        member("path", .string, "the path of the socket"),
        member("connections", .integer, "connections that are open"),
        member("subscribers", .integer, "connections that receive events"),
        member("refused", .integer, "connections refused since the start"),
    ]).named("SocketStatus")

    private static let queries = object(
        MethodTable.all.map { member($0.name, .integer, "requests") } + [
            member("errors", .integer, "error replies sent"),
            member(
                "errorReasons",
                .object(
                    ErrorReason.allCases.map { member($0.rawValue, .integer, "error replies sent", isRequired: false) }),
                "the same by reason; a reason that did not occur is left out"),
        ]
    ).named("QueryCounts")

    private static let reviews = object([
        member(
            "error", .nullable(.string), "why it cannot be used, so that review requests are refused; null if it can")
    ]).named("ReviewsStatus")

    private static let configuration = object([
        member("file", .nullable(.string), "the file that is in force or has to be fixed; null if there is none"),
        member("userFile", .nullable(.string), "the user's file, whether or not it exists"),
        member("error", .nullable(.string), "why the configuration as written is not in force; null if it is"),
        member("ignored", .array(ignoredFile), "files of catalogs that are ignored"),
        member(
            "ignoredMore", .integer, "how many more are ignored; left out if none is", isRequired: false),
    ]).named("ConfigurationStatus")
}
