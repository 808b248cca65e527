/// The result of `review-eligible` and `review-request`.
package struct ReviewResult: JSONObject, Equatable {
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

    /// Whether it is that of `review-request`.
    package var isRequest = false
    package var app = ""
    /// Empty if the review is not refused.
    package var reasons: [Growing<Reason>] = []
    package var eligibleAt: Timestamp?
    /// The page on which to write the granted review; nil if it is not known.
    package var reviewURL: String?
    /// nil unless there are too few.
    package var completionsNeeded: Int?
    /// nil if there is none.
    package var advice: String?

    /// Creates the result of a review that is not refused.
    package init() {}

    /// Whether the app may ask for a review.
    package var isGranted: Bool { reasons.isEmpty }

    /// The schema of the results of `review-request`.
    package static var schema: ValueSchema {
        var result = ReviewResult()
        result.isRequest = true
        return result.described.named("ReviewRequestResult")
    }

    /// The schema of the results of `review-eligible`.
    static var eligibilitySchema: ValueSchema { ReviewResult().described.named("ReviewEligibleResult") }

    /// Reads the result of either method.
    package init(_ json: JSONValue) throws(MalformedResult) {
        isRequest = json["eligible"] == nil
        try readMembers(json)
        let isYes: Bool = try json.read(isRequest ? "granted" : "eligible")
        guard isYes == isGranted else { throw MalformedResult(member: "reasons") }
    }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, isRequest ? "the id of the app that asks" : "the id of the app that would ask")
        if isRequest {
            member.derived(
                "granted", isGranted, "whether the app may ask for a review now; if so, the request is on disk")
        } else {
            member.derived("eligible", isGranted, "whether the app may ask for a review now")
        }
        member("reasons", &reasons, "why the app may not")
        member(
            "eligibleAt", &eligibleAt.roundedUp, "when the last wait ends; after a grant, the earliest time of the next"
        )
        if isRequest {
            member("reviewURL", &reviewURL, "the page on which to write the review; null if it is not known")
        }
        member.ifPresent(
            "completionsNeeded", &completionsNeeded, "how many successes are required, if there are too few")
        member.ifPresent("advice", &advice, "what to do first")
    }
}
