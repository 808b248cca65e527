/// How fresh the served catalog is, as `list` and `status` report it.
package struct Freshness: Equatable, Sendable {
    /// Whether a catalog is served, and whether it has expired.
    package enum State: String, CaseIterable, Sendable {
        case loaded, cached, loading, empty
    }

    /// Where the served catalog comes from.
    package enum Source: String, CaseIterable, Sendable {
        case origin, sample, none
    }

    package var state: State
    package var source: Source
    /// The first 16 hexadecimal digits of the SHA-256 of the catalog's bytes; nil while empty.
    package var generation: String?
    /// When the catalog was last fetched or confirmed; nil for the sample and while empty.
    package var fetchedAt: Timestamp?
    /// When the origin last sent or confirmed it, earlier than ``fetchedAt`` if it came from a cache; nil if that is nil.
    package var originAt: Timestamp?
    /// When the catalog expires; nil for the sample and while empty.
    package var expiresAt: Timestamp?
    /// When the time of the publisher's signature ends; nil without one, or if it has no end.
    package var signedUntil: Timestamp?
    /// Whether there is no catalog because none is configured.
    package var isUnconfigured: Bool

    /// Creates a freshness from its parts.
    package init(
        state: State, source: Source, generation: String?, fetchedAt: Timestamp? = nil, originAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, signedUntil: Timestamp? = nil, isUnconfigured: Bool = false
    ) {
        self.state = state
        self.source = source
        self.generation = generation
        self.fetchedAt = fetchedAt
        self.originAt = originAt ?? fetchedAt
        self.expiresAt = expiresAt
        self.signedUntil = signedUntil
        self.isUnconfigured = isUnconfigured
    }

    /// Writes the times, as `list` and `status` have them.
    package func writeTimes(to writer: inout JSONWriter) {
        writer.member("fetchedAt", fetchedAt)
        writer.member("originAt", originAt)
        writer.member("expiresAt", expiresAt)
        if let signedUntil { writer.member("signedUntil", signedUntil) }
    }

    /// Since when a cache had the catalog when it was fetched from there; nil if it came from the origin itself, give or take a minute.
    package var cachedSince: Timestamp? {
        guard let fetchedAt, let originAt, fetchedAt - originAt >= .seconds(60) else { return nil }
        return originAt
    }

    /// Why the catalog counts as expired before its interval is over; nil if it does not.
    package func warning(now: Timestamp) -> String? {
        guard let signedUntil, signedUntil <= now else { return nil }
        return
            "The catalog's signature expired at \(signedUntil.rfc3339). Its publisher has to sign it again; if that has been done, "
            + "a server or somebody on the way is withholding the newer catalog."
    }

    /// Writes the members of a status that say what is served.
    /// - Parameter apps: the number of apps in the catalog.
    func writeState(apps: Int, to writer: inout JSONWriter) {
        writer.member("state", state.rawValue)
        writer.member("source", source.rawValue)
        writer.member("generation", generation)
        writer.member("apps", apps)
        writeTimes(to: &writer)
        if isUnconfigured { writer.member("emptyBecause", Emptiness.notConfigured.rawValue) }
    }
}

extension Freshness {
    /// Reads the members that `list` and `status` have in common.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            state: try json.word("state"), source: try json.word("source"),
            generation: try json.optionalString("generation"), fetchedAt: try json.optionalTime("fetchedAt"),
            // An earlier promod does not report it.
            originAt: json["originAt"]?.time, expiresAt: try json.optionalTime("expiresAt"),
            signedUntil: json["signedUntil"]?.time,
            isUnconfigured: json["emptyBecause"]?.isString(Emptiness.notConfigured.rawValue) == true)
    }
}
