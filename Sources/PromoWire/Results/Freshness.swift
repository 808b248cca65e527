/// How fresh the served catalog is, as `list` and `status` report it.
package struct Freshness: Equatable, Sendable {
    /// Whether a catalog is served, and whether it has expired.
    package enum State: String, Word {
        case fresh, expired, loading, empty
    }

    /// Where the served catalog comes from.
    package enum Source: String, Word {
        case origin
        /// The file of the app's package, because nothing was fetched yet.
        case bundled
        /// A file that a developer tests.
        case file
        case sample, none
    }

    package var state = State.empty
    package var source = Source.none
    /// nil while empty.
    package var generation: String?
    /// nil for the sample and a file, for a catalog that was never fetched, and while empty.
    package var fetchedAt: Timestamp?
    /// nil if ``fetchedAt`` is.
    package var expiresAt: Timestamp?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member(
            "state", &state,
            "whether the catalog is fresh or expired; loading: the first fetch is under way; empty: nothing to serve")
        member("source", &source, "where the catalog comes from")
        member("generation", &generation, "the first 16 hexadecimal digits of the catalog's SHA-256")
        member(
            "fetchedAt", &fetchedAt,
            "when the origin last sent or confirmed the catalog, perhaps to an intermediate cache")
        member("expiresAt", &expiresAt, "when the catalog expires")
    }

    /// Writes the members of a list, one after another.
    package func writeListMembers(to writer: inout JSONWriter) {
        var freshness = self
        MemberVisitor.writeMembers(to: &writer) { freshness.visitMembers(&$0) }
    }

    init() {}

    /// Creates a freshness from its parts.
    package init(
        state: State, source: Source, generation: String?, fetchedAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil
    ) {
        (self.state, self.source, self.generation) = (state, source, generation)
        (self.fetchedAt, self.expiresAt) = (fetchedAt, expiresAt)
    }
}
