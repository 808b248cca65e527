/// The result of `review-eligible` and `review-request`.
package struct ReviewResult: MethodResult, JSONObject, Equatable {
    /// Which of the two methods was called.
    package enum Question: Equatable, Sendable {
        case eligible
        /// With the page on which to write the review, if one is granted and the page is known.
        case request(reviewURL: String?)
    }

    /// Why a review is refused, in the order in which reasons are listed.
    package enum Reason: String, Word {
        case neverLaunched = "never-launched"
        case tooFewCompletions = "too-few-completions"
        case tooSoonAfterFirstLaunch = "too-soon-after-first-launch"
        case tooSoonAfterLastRequest = "too-soon-after-last-request"
        case yearlyLimit = "yearly-limit"
        case noPage = "no-page"
        case offline

        package static let title = "ReviewReason"
    }

    package var app = ""
    package var question = Question.eligible
    /// Empty if the review is not refused.
    package var reasons: [Reason] = []
    package var eligibleAt: Timestamp?
    /// nil unless there are too few.
    package var completionsNeeded: Int?
    /// nil if nothing.
    package var advice: String?

    package init() {}

    /// Whether the app may ask for a review.
    package var isGranted: Bool { reasons.isEmpty }

    /// The address of the page on which to write the granted review; nil if it is not known.
    package private(set) var reviewURL: String? {
        get { if case .request(let reviewURL) = question { reviewURL } else { nil } }
        set { question = .request(reviewURL: newValue) }
    }
}

extension ReviewResult {
    /// The schema of the results of `review-request`.
    package static var schema: ValueSchema { schema(.request(reviewURL: nil)).named("ReviewRequestResult") }

    /// The schema of the results of `review-eligible`.
    static var eligibilitySchema: ValueSchema { schema(.eligible).named("ReviewEligibleResult") }

    private static func schema(_ question: Question) -> ValueSchema {
        var result = ReviewResult()
        result.question = question
        return result.described
    }

    /// Reads the result of either method.
    package init(_ json: JSONValue) throws(MalformedResult) {
        question = json["eligible"] != nil ? .eligible : .request(reviewURL: nil)
        try readMembers(json)
        let isYes: Bool = try json.read(question == .eligible ? "eligible" : "granted")
        guard isYes == isGranted else { throw MalformedResult(member: "reasons") }
    }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        let isRequest = question != .eligible
        member("app", &app, isRequest ? "the id of the app that asks" : "the id of the app that would ask")
        if isRequest {
            member.derived(
                "granted", isGranted, "whether the app may ask for a review now; if so, the request is on disk")
        } else {
            member.derived("eligible", isGranted, "whether the app may ask for a review now")
        }
        member("reasons", &reasons, "why the app may not")
        member(
            "eligibleAt", &eligibleAt.roundedUp,
            "when the last wait ends; after a grant, the earliest time of the next")
        if isRequest {
            member("reviewURL", &reviewURL, "the page on which to write the review; null if it is not known")
        }
        member.ifPresent(
            "completionsNeeded", &completionsNeeded, "how many successes are required, if there are too few")
        member.ifPresent("advice", &advice, "what to do first")
    }
}
