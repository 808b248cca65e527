/// The result of `refresh`.
package struct RefreshResult: MethodResult, JSONObject, Equatable {
    /// How a refresh ended, or that it has only started.
    package enum Outcome: String, Word {
        case updated, unchanged, failed
        /// The reply did not wait for the end.
        case started
    }

    package var outcome = Outcome.started
    package var generation: String?
    package var error: Failure?
    package var retryAt: Timestamp?
    package var redirectedTo: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("outcome", &outcome, "how the refresh ended")
        member("generation", &generation, "the generation that is served now; null if nothing is served")
        member("error", &error, "why the refresh failed, or why the catalog could not be stored")
        member(
            "retryAt", &retryAt.roundedUp,
            "after a failure, when the next attempt is planned")
        member.ifPresent(
            "redirectedTo", &redirectedTo,
            "the address that answered, without user, password and query, if the URL redirects there")
    }

    package init() {}

    /// Creates a result from its parts.
    package init(outcome: Outcome, generation: String?, error: Failure? = nil, retryAt: Timestamp? = nil) {
        (self.outcome, self.generation, self.error, self.retryAt) = (outcome, generation, error, retryAt)
    }
}
