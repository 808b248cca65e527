/// The result of `review-eligible` and `review-request`.
package struct ReviewResult: MethodResult, Equatable {
    /// Which of the two methods was called.
    package enum Question: Equatable, Sendable {
        case eligible
        /// With the address of the page on which to write the review, if one was granted and the address is known.
        case request(reviewURL: String?)
    }

    /// Why a review is refused, in the order in which reasons are listed.
    package enum Reason: String, CaseIterable, Sendable {
        case neverLaunched = "never-launched"
        case tooFewCompletions = "too-few-completions"
        case tooSoonAfterFirstLaunch = "too-soon-after-first-launch"
        case tooSoonAfterLastRequest = "too-soon-after-last-request"
        case yearlyLimit = "yearly-limit"
        case noPage = "no-page"
        case offline
        /// The default catalog is not configured, or the catalog's file is broken and its address is not known.
        case notConfigured = "not-configured"
        /// The app would be one of the sample.
        case sample
    }

    package var app: String
    package var question: Question
    /// Why a review is refused; empty if it is not.
    package var reasons: [Reason]
    /// When the last of the waits in `reasons` ends; after a grant, the earliest time of the next.
    package var eligibleAt: Timestamp?
    /// How many completed successes are required; nil unless there are too few.
    package var completionsNeeded: Int?
    /// What the client has to do first; nil if nothing.
    package var advice: String?
    /// When the granted request was recorded, by which `review-return` gives it back; nil if none was.
    package var requestedAt: Timestamp?

    /// Creates a result from its parts.
    package init(
        app: String, question: Question, reasons: [Reason], eligibleAt: Timestamp?, completionsNeeded: Int? = nil,
        advice: String?, requestedAt: Timestamp? = nil
    ) {
        self.app = app
        self.question = question
        self.reasons = reasons
        self.eligibleAt = eligibleAt
        self.completionsNeeded = completionsNeeded
        self.advice = advice
        self.requestedAt = requestedAt
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member(question == .eligible ? "eligible" : "granted", reasons.isEmpty)
            writer.member("reasons", reasons.map(\.rawValue))
            writer.member("eligibleAt", eligibleAt?.roundedUpToSecond)
            if case .request(let reviewURL) = question {
                writer.member("reviewURL", reviewURL)
                writer.member("requestedAt", requestedAt)
            }
            if let completionsNeeded { writer.member("completionsNeeded", completionsNeeded) }
            if let advice { writer.member("advice", advice) }
        }
    }
}

extension ReviewResult {
    /// Whether the app may ask for a review.
    package var isGranted: Bool { reasons.isEmpty }

    /// The address of the page on which to write the granted review; nil if it is not known.
    package var reviewURL: String? {
        if case .request(let reviewURL) = question { reviewURL } else { nil }
    }

    /// Reads the result of either method.
    package init(_ json: JSONValue) throws(MalformedResult) {
        let isEligibility = json["eligible"] != nil
        self.init(
            app: try json.string("app"),
            question: isEligibility ? .eligible : .request(reviewURL: try json.optionalString("reviewURL")),
            reasons: try json.words("reasons"), eligibleAt: try json.optionalTime("eligibleAt"),
            completionsNeeded: try json.optionalInteger("completionsNeeded"),
            advice: try json.optionalString("advice"), requestedAt: try json.optionalTime("requestedAt"))
        let isYes = try json.boolean(isEligibility ? "eligible" : "granted")
        guard isYes == isGranted else { throw MalformedResult(member: "reasons") }
    }
}
