/// The result of `review-eligible` and `review-request`.
package struct ReviewResult: MethodResult, Equatable {
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
        /// The default catalog is not configured, or the catalog's file is broken and its address is not known.
        case notConfigured = "not-configured"
        /// The catalog is the sample.
        case sample

        package static let title = "ReviewReason"
    }

    package var app = ""
    package var question: Question
    /// Empty if the review is not refused.
    package var reasons: [Reason] = []
    package var eligibleAt: Timestamp?
    /// nil unless there are too few.
    package var completionsNeeded: Int?
    /// nil if nothing.
    package var advice: String?
    package var requestedAt: Timestamp?

    /// Creates a result from its parts.
    package init(
        app: String, question: Question, reasons: [Reason], eligibleAt: Timestamp?, completionsNeeded: Int? = nil,
        advice: String?, requestedAt: Timestamp? = nil
    ) {
        (self.app, self.question, self.reasons, self.eligibleAt) = (app, question, reasons, eligibleAt)
        (self.completionsNeeded, self.advice, self.requestedAt) = (completionsNeeded, advice, requestedAt)
    }

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
    package static var schema: ValueSchema { ValueSchema(requestMembers).named("ReviewRequestResult") }

    /// The schema of the results of `review-eligible`.
    static var eligibilitySchema: ValueSchema { ValueSchema(eligibilityMembers).named("ReviewEligibleResult") }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for member in Self.members(of: question) { member.write(self, &writer) }
        }
    }

    package static func read(_ json: JSONValue?) throws(MalformedResult) -> ReviewResult? {
        guard let json, json.kind == .object else { return nil }
        return try ReviewResult(json)
    }

    /// Reads the result of either method.
    package init(_ json: JSONValue) throws(MalformedResult) {
        question = json["eligible"] != nil ? .eligible : .request(reviewURL: nil)
        for member in Self.members(of: question) { try member.read(json, &self) }
        let isYes: Bool = try json.read(question == .eligible ? "eligible" : "granted")
        guard isYes == isGranted else { throw MalformedResult(member: "reasons") }
    }

    private static func members(of question: Question) -> [Member<ReviewResult>] {
        question == .eligible ? eligibilityMembers : requestMembers
    }

    private static let eligibilityMembers: [Member<ReviewResult>] =
        [
            Member("app", \.app, "the id of the app that would ask"),
            granted("eligible", "whether the app may ask for a review now"), reasonsMember, eligibleAtMember,
        ] + needs

    private static let requestMembers: [Member<ReviewResult>] =
        [
            Member("app", \.app, "the id of the app that asks"),
            granted("granted", "whether the app may ask for a review now; if so, the request is on disk"),
            reasonsMember, eligibleAtMember,
            Member("reviewURL", \.reviewURL, "the page on which to write the review; null if it is not known"),
            Member(
                "requestedAt", \.requestedAt,
                "when the request was recorded, by which review-return gives it back; null if none was"),
        ] + needs

    private static let reasonsMember = Member("reasons", \ReviewResult.reasons, "why the app may not")
    private static let eligibleAtMember = Member(
        "eligibleAt", \ReviewResult.eligibleAt, as: .roundedUp,
        "when the last wait ends; after a grant, the earliest time of the next")
    private static let needs: [Member<ReviewResult>] = [
        .ifPresent(
            "completionsNeeded", \.completionsNeeded, "how many successes are required, if there are too few"),
        .ifPresent("advice", \.advice, "what to do first"),
    ]

    private static func granted(_ name: String, _ meaning: String) -> Member<ReviewResult> {
        Member(schemas: { [.init(name, .boolean, meaning)] }, write: { $1.member(name, $0.isGranted) })
    }
}
