/// What `refresh` answers.
package struct RefreshResult: MethodResult, Equatable {
    /// How a refresh went.
    package enum Outcome: String, CaseIterable, Sendable {
        case updated, unchanged, failed, throttled, started
    }

    /// How it went.
    package var outcome: Outcome
    /// The generation that is served now; nil while nothing is.
    package var generation: String?
    /// Why it failed, or why an updated catalog could not be stored.
    package var error: Failure?
    /// When the next attempt comes after a failure, or when a throttled refresh is allowed.
    package var retryAt: Timestamp?

    /// A result with its parts.
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
        }
    }
}

extension RefreshResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            outcome: try json.word("outcome"), generation: try json.optionalString("generation"),
            error: try json.failure("error"), retryAt: try json.optionalTime("retryAt"))
    }
}
