/// What each method answers.
extension ValueSchema {
    static let list = object(
        freshness + [
            member("canRetry", .boolean, "while empty, whether it makes sense that a person tries again now"),
            member("retryAt", .nullable(.time), "while empty, when promod itself tries next"),
            member(
                "hostKnown", .nullable(.boolean),
                "whether the catalog knows the host, as an app or by a rule; null while there is no catalog"),
            member("language", .nullable(.choice(languages)), "the one that was looked for; null for \"*\""),
            member("apps", .array(app), "what the host may promote, in the catalog's order"),
        ])

    static let tap = object([
        member("app", .string, "the app that was tapped"),
        member("appStoreID", .string, "its number in the store"),
        member("presentation", .choice(["store", "offline"]), "whether to open the store or to show the message"),
        member("message", .string, "what to show instead while there is no network", isRequired: false),
        member("storeURL", .string, "its page in the store"),
    ])

    static let impression = object([member("emitted", .integer, "how many events were emitted")])

    static let launch = object([
        member("app", .string, "the app that was launched"),
        member("firstLaunch", .time, "when it was first launched"),
        member("recorded", .boolean, "whether this call was the first"),
    ])

    static let reviewEligible = object(
        [
            member("app", .string, "the app that would ask"),
            member("eligible", .boolean, "whether it may ask for a review now"),
        ] + reviewWaits)

    static let reviewRequest = object(
        [
            member("app", .string, "the app that asks"),
            member("granted", .boolean, "whether it may ask for a review now; if so, the request is on disk"),
        ] + reviewWaits + [
            member("reviewURL", .nullable(.string), "where to write the review, where the store's number is known")
        ])

    static let reviewReset = object([
        member("app", .string, "the app"),
        member("reset", .boolean, "whether anything was remembered of it"),
    ])

    static let refresh = object([
        member("outcome", .choice(RefreshResult.Outcome.allCases.map(\.rawValue)), "how it went"),
        member("generation", .nullable(.string), "the generation that is served now"),
        member("error", .nullable(failure), "why it failed, or could not be stored"),
        member("retryAt", .nullable(.time), "when the next attempt comes, or is allowed"),
    ])

    static let clear = object([member("cleared", .boolean, "true")])

    static let subscribe = object([
        member("subscribed", .array(.choice(EventKind.allCases.map(\.rawValue))), "the kinds that are followed"),
        member("epoch", .string, "the name of the daemon's start, within which seq counts"),
        member("seq", .integer, "the number of the latest event"),
        member("replayed", .integer, "how many of the selected events follow at once"),
        member("missed", .nullable(.integer), "how many are held no longer; null where that is not known"),
    ])

    static let status = object(
        [
            member("version", .string, "promod's version"),
            member("protocol", .integer, "the version of this protocol"),
            member("epoch", .string, "the name of the daemon's start"),
            member("pid", .integer, "its process"),
            member("startedAt", .time, "when it started"),
            member("lifecycle", .choice(["empty", "valid", "expired"]), "what is served, by its age"),
            member("apps", .integer, "how many apps are served"),
            member("online", .boolean, "whether the kernel has a route to a global address"),
        ] + freshness + [
            member("refresh", refreshStatus, "the refreshes"),
            member("cache", cache, "the cache file"),
            member("socket", socket, "the socket"),
            member("queries", queries, "requests carried out since the start, by method, and errors answered"),
            member("configuration", configuration, "the configuration"),
        ])

    static let reload = object([member("reloaded", .boolean, "true: the configuration is in force")])

    static let discover = object([
        member("openrpc", .string, "the version of OpenRPC"),
        member("info", .object([]), "the name and version of what is described"),
        member("methods", .array(.object([])), "the methods"),
        member("components", .object([]), "the errors"),
    ])
}

extension ValueSchema {
    private static let languages = Language.allCases.map(\.rawValue)

    private static let freshness = [
        member(
            "state", .choice(Freshness.State.allCases.map(\.rawValue)),
            "loaded: fresh; cached: past its time; loading: the first fetch is under way; empty: nothing to serve"),
        member("source", .choice(Freshness.Source.allCases.map(\.rawValue)), "where what is served comes from"),
        member("generation", .nullable(.string), "the first 16 hexadecimal digits of the SHA-256 of the catalog"),
        member("fetchedAt", .nullable(.time), "when the origin last sent or confirmed it"),
        member("expiresAt", .nullable(.time), "when it is past its time"),
    ]

    /// In one language a string, in all of them an object.
    private static let taglines = either(
        .string,
        .object([
            member("en", .string, "English"),
            member("ko", .string, "Korean", isRequired: false),
            member("ja", .string, "Japanese", isRequired: false),
        ]))

    private static let app = object([
        member("id", .string, AppID.form),
        member("name", .string, "its name"),
        member("appStoreID", .string, "its number in the store"),
        member("iconURL", .string, "an https address"),
        member("category", .string, "the label of its category"),
        member("tagline", taglines, "in the language looked for; with \"*\" an object of all"),
        member("storeURL", .string, "its page in the store"),
    ])

    private static let reviewWaits = [
        member("reasons", .array(.choice(ReviewResult.Reason.allCases.map(\.rawValue))), "what stands against it"),
        member("eligibleAt", .nullable(.time), "when the last wait ends"),
        member("completionsNeeded", .integer, "how many successes it takes, if there are too few", isRequired: false),
        member("advice", .string, "what to do first", isRequired: false),
    ]

    private static let failure = object([
        member("code", .choice(Failure.Code.allCases.map(\.rawValue)), "the word to test for"),
        member("message", .string, "for people"),
    ])

    private static let refreshStatus = object([
        member("url", .nullable(.string), "the origin, without user, password and query"),
        member("activity", .choice(["idle", "loading"]), "whether a fetch is under way"),
        member("nextAt", .nullable(.time), "when the next attempt comes"),
        member("reason", .choice(RefreshStatus.Reason.allCases.map(\.rawValue)), "why then"),
        member("attempt", .integer, "failures in a row"),
        member("lastAttemptAt", .nullable(.time), "when the last attempt began"),
        member("lastOutcome", .nullable(.choice(RefreshResult.Outcome.allCases.map(\.rawValue))), "how it went"),
        member("lastError", .nullable(failure), "why it failed"),
    ])

    private static let cache = object([
        member("path", .string, "the file"),
        member("stored", .boolean, "whether what is served lies in it"),
    ])

    private static let socket = object([
        member("path", .string, "the socket"),
        member("connections", .integer, "connections that are open"),
        member("subscribers", .integer, "those that follow events"),
        member("refused", .integer, "connections turned away"),
    ])

    private static let queries = object(
        MethodTable.all.map { member($0.name, .integer, "requests") } + [member("errors", .integer, "errors answered")])

    private static let configuration = object([
        member("file", .nullable(.string), "the file in force, or to be mended"),
        member("userFile", .nullable(.string), "the user's file, whether it is there or not"),
        member("error", .nullable(.string), "why it is not in force"),
    ])
}
