/// How fresh the served catalog is, as `list` and `status` report it.
package struct Freshness: JSONObject, Equatable {
    /// Whether a catalog is served, and whether it has expired.
    package enum State: String, Word {
        case loaded, cached, loading, empty
    }

    /// Where the served catalog comes from.
    package enum Source: String, Word {
        case origin, sample, none
    }

    package var state = State.empty
    package var source = Source.none
    /// nil while empty.
    package var generation: String?
    /// nil for the sample and while empty.
    package var fetchedAt: Timestamp?
    /// nil if ``fetchedAt`` is.
    package var originAt: Timestamp?
    /// nil for the sample and while empty.
    package var expiresAt: Timestamp?
    /// nil without a signature, or if it does not expire.
    package var signedUntil: Timestamp?
    /// Whether there is no catalog because none is configured.
    package var isUnconfigured = false

    /// The members about the served catalog.
    static let identity: [Member<Freshness>] = [
        Member(
            "state", \.state,
            "loaded: fresh; cached: expired; loading: the first fetch is under way; empty: nothing to serve"),
        Member("source", \.source, "where the catalog comes from"),
        Member("generation", \.generation, "the first 16 hexadecimal digits of the catalog's SHA-256"),
    ]

    /// The members about its age.
    static let times: [Member<Freshness>] = [
        Member("fetchedAt", \.fetchedAt, "when the catalog was last fetched or confirmed"),
        Member(
            schemas: {
                let meaning =
                    "when the origin last sent or confirmed it, earlier than fetchedAt if it came from a cache"
                return [.init("originAt", .nullable(.time), meaning)]
            }, write: { $1.member("originAt", $0.originAt) },
            // An earlier promod does not report it.
            read: { $1.originAt = $0["originAt"]?.time ?? $1.fetchedAt }),
        Member("expiresAt", \.expiresAt, "when the catalog expires"),
        .ifPresent(
            "signedUntil", \.signedUntil, "when the time of the publisher's signature ends, if it has an end",
            isLenient: true),
    ]

    private static let unconfigured = Member<Freshness>(
        schemas: {
            let word = ValueSchema.choice([Emptiness.notConfigured.rawValue])
            return [.init("emptyBecause", word, "if there is no catalog because none is configured", isRequired: false)]
        },
        write: { if $0.isUnconfigured { $1.member("emptyBecause", Emptiness.notConfigured) } },
        read: { $1.isUnconfigured = $0["emptyBecause"]?.word() == Emptiness.notConfigured })

    package static let members = identity + times + [unconfigured]

    /// The members of a status about the served catalog.
    /// - Parameter apps: the number of apps in the catalog.
    static func members<Root>(of path: Path<Root, Freshness>, apps: Path<Root, Int>) -> [Member<Root>] {
        identity.of(path) + [Member("apps", apps, "the number of apps in the catalog")] + times.of(path)
            + [unconfigured].of(path)
    }

    package init() {}

    /// Creates a freshness from its parts.
    package init(
        state: State, source: Source, generation: String?, fetchedAt: Timestamp? = nil, originAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, signedUntil: Timestamp? = nil, isUnconfigured: Bool = false
    ) {
        (self.state, self.source, self.generation) = (state, source, generation)
        (self.fetchedAt, self.originAt, self.expiresAt) = (fetchedAt, originAt ?? fetchedAt, expiresAt)
        (self.signedUntil, self.isUnconfigured) = (signedUntil, isUnconfigured)
    }

    /// Since when the cache that sent the catalog had it; nil if the origin sent it, or the difference is at most a minute.
    package var cachedSince: Timestamp? {
        guard let fetchedAt, let originAt, fetchedAt - originAt >= .seconds(60) else { return nil }
        return originAt
    }

    /// Why the catalog expires before its interval has passed; nil if it does not.
    package func warning(now: Timestamp) -> String? {
        guard let signedUntil, signedUntil <= now else { return nil }
        return
            "The catalog's signature expired at \(signedUntil.rfc3339). Its publisher has to sign it again; if that has been done, "
            + "a server or somebody on the way is withholding the newer catalog."
    }
}
