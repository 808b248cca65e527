/// How fresh the served catalog is, as `list` and `status` report it.
package struct Freshness: Equatable, Sendable {
    /// Whether a catalog is served, and whether it has expired.
    package enum State: String, Word {
        case loaded, cached, loading, empty
    }

    /// Where the served catalog comes from.
    package enum Source: String, Word {
        case origin
        /// The file of the app's package, because nothing was fetched yet.
        case bundled
        case sample, none
    }

    /// Why there is no catalog, in a status.
    private enum Cause: String, Word {
        case notConfigured = "not-configured"

        static let schema = choice
    }

    package var state = State.empty
    package var source = Source.none
    /// nil while empty.
    package var generation: String?
    /// nil for the sample, for a catalog that was never fetched, and while empty.
    package var fetchedAt: Timestamp?
    /// nil if ``fetchedAt`` is.
    package var originAt: Timestamp?
    /// nil if ``fetchedAt`` is.
    package var expiresAt: Timestamp?
    /// Whether there is no catalog because none is configured.
    package var isUnconfigured = false

    private var cause: Cause? {
        get { isUnconfigured ? .notConfigured : nil }
        set { isUnconfigured = newValue != nil }
    }

    /// Visits the members of a list.
    mutating func visitMembers(_ member: inout MemberVisitor) {
        visitIdentity(&member)
        visitTimes(&member)
    }

    /// Visits the members of a status about the served catalog.
    mutating func visitMembers(_ member: inout MemberVisitor, apps: inout Int) {
        visitIdentity(&member)
        member("apps", &apps, "the number of apps in the catalog")
        visitTimes(&member)
        member.ifPresent(
            "emptyBecause", &cause, "if there is no catalog because none is configured", isLenient: true)
    }

    private mutating func visitIdentity(_ member: inout MemberVisitor) {
        member(
            "state", &state,
            "loaded: fresh; cached: expired; loading: the first fetch is under way; empty: nothing to serve")
        member("source", &source, "where the catalog comes from")
        member("generation", &generation, "the first 16 hexadecimal digits of the catalog's SHA-256")
    }

    private mutating func visitTimes(_ member: inout MemberVisitor) {
        member("fetchedAt", &fetchedAt, "when the catalog was last fetched or confirmed")
        member(
            "originAt", &originAt,
            "when the origin last sent or confirmed it, earlier than fetchedAt if it came from a cache")
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
        state: State, source: Source, generation: String?, fetchedAt: Timestamp? = nil, originAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, isUnconfigured: Bool = false
    ) {
        (self.state, self.source, self.generation) = (state, source, generation)
        (self.fetchedAt, self.originAt, self.expiresAt) = (fetchedAt, originAt ?? fetchedAt, expiresAt)
        self.isUnconfigured = isUnconfigured
    }

    /// Since when the cache that sent the catalog had it; nil if the origin sent it, or the difference is at most a minute.
    package var cachedSince: Timestamp? {
        guard let fetchedAt, let originAt, fetchedAt - originAt >= .seconds(60) else { return nil }
        return originAt
    }
}
