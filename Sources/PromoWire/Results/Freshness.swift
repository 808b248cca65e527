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
    /// When the origin last sent or confirmed the catalog; nil for the sample and while empty.
    package var fetchedAt: Timestamp?
    /// When the catalog expires; nil for the sample and while empty.
    package var expiresAt: Timestamp?

    /// Creates a freshness from its parts.
    package init(
        state: State, source: Source, generation: String?, fetchedAt: Timestamp? = nil, expiresAt: Timestamp? = nil
    ) {
        self.state = state
        self.source = source
        self.generation = generation
        self.fetchedAt = fetchedAt
        self.expiresAt = expiresAt
    }

    /// Writes the members of a status that say what is served.
    /// - Parameter apps: the number of apps in the catalog.
    func writeState(apps: Int, to writer: inout JSONWriter) {
        writer.member("state", state.rawValue)
        writer.member("source", source.rawValue)
        writer.member("lifecycle", lifecycle)
        writer.member("generation", generation)
        writer.member("apps", apps)
        writer.member("fetchedAt", fetchedAt)
        writer.member("expiresAt", expiresAt)
    }

    /// `empty`, `valid` or `expired`.
    package var lifecycle: String {
        switch state {
        case .loaded: "valid"
        case .cached: "expired"
        case .loading, .empty: "empty"
        }
    }
}

extension Freshness {
    /// Reads the members that `list` and `status` have in common.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            state: try json.word("state"), source: try json.word("source"),
            generation: try json.optionalString("generation"), fetchedAt: try json.optionalTime("fetchedAt"),
            expiresAt: try json.optionalTime("expiresAt"))
    }
}
