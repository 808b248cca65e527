/// What `review-eligible` and `review-request` answer.
package struct ReviewResult: MethodResult, Equatable {
    /// Which of the two it answers.
    package enum Question: Equatable, Sendable {
        case eligible
        /// With the address where to write the review, where a grant was given and the catalog knows the store number.
        case request(reviewURL: String?)
    }

    /// What stands against a request, in the order in which reasons are given.
    package enum Reason: String, CaseIterable, Sendable {
        case neverLaunched = "never-launched"
        case tooFewCompletions = "too-few-completions"
        case tooSoonAfterFirstLaunch = "too-soon-after-first-launch"
        case tooSoonAfterLastRequest = "too-soon-after-last-request"
        case yearlyLimit = "yearly-limit"
        case noPage = "no-page"
        case offline
    }

    package var app: String
    package var question: Question
    /// What stands against it; empty where nothing does.
    package var reasons: [Reason]
    /// When the last wait ends; after a grant, when the next is possible at the earliest.
    package var eligibleAt: Timestamp?
    /// How many completed successes it takes; nil unless there are too few.
    package var completionsNeeded: Int?
    /// What to do first; nil if there is nothing.
    package var advice: String?

    /// A result with its parts.
    package init(
        app: String, question: Question, reasons: [Reason], eligibleAt: Timestamp?, completionsNeeded: Int? = nil,
        advice: String?
    ) {
        self.app = app
        self.question = question
        self.reasons = reasons
        self.eligibleAt = eligibleAt
        self.completionsNeeded = completionsNeeded
        self.advice = advice
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member(question == .eligible ? "eligible" : "granted", reasons.isEmpty)
            writer.member("reasons", reasons.map(\.rawValue))
            writer.member("eligibleAt", eligibleAt?.roundedUpToSecond)
            if case .request(let reviewURL) = question { writer.member("reviewURL", reviewURL) }
            if let completionsNeeded { writer.member("completionsNeeded", completionsNeeded) }
            if let advice { writer.member("advice", advice) }
        }
    }
}

extension ReviewResult {
    /// Whether the app may ask for a review.
    package var isGranted: Bool { reasons.isEmpty }

    /// Where to write the review that was granted; nil where that is not known.
    package var reviewURL: String? {
        if case .request(let reviewURL) = question { reviewURL } else { nil }
    }

    /// Reads a result of either method.
    package init(_ json: JSONValue) throws(MalformedResult) {
        let isEligibility = json["eligible"] != nil
        self.init(
            app: try json.string("app"),
            question: isEligibility ? .eligible : .request(reviewURL: try json.optionalString("reviewURL")),
            reasons: try json.words("reasons"), eligibleAt: try json.optionalTime("eligibleAt"),
            completionsNeeded: try json.optionalInteger("completionsNeeded"),
            advice: try json.optionalString("advice"))
        let isYes = try json.boolean(isEligibility ? "eligible" : "granted")
        guard isYes == isGranted else { throw MalformedResult(member: "reasons") }
    }
}
