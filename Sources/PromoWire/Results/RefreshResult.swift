/// The result of `refresh`.
package struct RefreshResult: MethodResult, JSONObject, Equatable {
    /// How a refresh ended, or that it has only started.
    package enum Outcome: String, Word {
        case updated, unchanged, failed
        /// The fetched catalog lacks more than half of the apps, so the previous one is still served.
        case heldBack = "held-back"
        case throttled, started
    }

    package var outcome = Outcome.started
    package var generation: String?
    package var error: Failure?
    package var retryAt: Timestamp?
    package var redirectedTo: String?

    package static let members: [Member<RefreshResult>] = [
        Member("outcome", \.outcome, "how the refresh ended"),
        Member("generation", \.generation, "the generation that is served now; null if nothing is served"),
        Member("error", \.error, "why the refresh failed, or why the catalog could not be stored"),
        Member(
            "retryAt", \.retryAt, as: .roundedUp,
            "when the next attempt is planned, or when a throttled refresh is allowed"),
        .ifPresent(
            "redirectedTo", \.redirectedTo,
            "the address that answered, without user, password and query, if the URL redirects there", isLenient: true),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(outcome: Outcome, generation: String?, error: Failure? = nil, retryAt: Timestamp? = nil) {
        (self.outcome, self.generation, self.error, self.retryAt) = (outcome, generation, error, retryAt)
    }
}
