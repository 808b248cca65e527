/// The result of `refresh`.
package struct RefreshResult: MethodResult, Equatable {
    /// How a refresh ended, or that it has only started.
    package enum Outcome: String, CaseIterable, Sendable {
        case updated, unchanged, failed
        /// The catalog lost more than half of its apps, and what was there goes on being served.
        case heldBack = "held-back"
        case throttled, started
    }

    package var outcome: Outcome
    /// The generation that is served now; nil if nothing is served.
    package var generation: String?
    /// Why the refresh failed, or why the updated catalog could not be stored.
    package var error: Failure?
    /// When the next attempt follows a failure, or when a throttled refresh will be allowed.
    package var retryAt: Timestamp?
    /// The address that answered, without user, password and query, if the URL redirects there; nil if it does not.
    package var redirectedTo: String?

    /// Creates a result from its parts.
    package init(outcome: Outcome, generation: String?, error: Failure? = nil, retryAt: Timestamp? = nil) {
        self.outcome = outcome
        self.generation = generation
        self.error = error
        self.retryAt = retryAt
    }

    /// Writes the result's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("outcome", outcome.rawValue)
            writer.member("generation", generation)
            writer.member("error", error)
            writer.member("retryAt", retryAt?.roundedUpToSecond)
            if let redirectedTo { writer.member("redirectedTo", redirectedTo) }
        }
    }
}

extension RefreshResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            outcome: try json.word("outcome"), generation: try json.optionalString("generation"),
            error: try json.failure("error"), retryAt: try json.optionalTime("retryAt"))
        redirectedTo = json["redirectedTo"]?.outsideText?.text
    }
}
