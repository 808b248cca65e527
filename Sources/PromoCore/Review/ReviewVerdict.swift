package import PromoWire

/// The decision whether an app may ask for a review.
package struct ReviewVerdict: Equatable, Sendable {
    /// Why the app may not ask; empty if it may.
    package var reasons: [ReviewResult.Reason] = []
    /// When the last of the waits in `reasons` ends; nil if there is none.
    package var eligibleAt: Timestamp?
    /// The required number of completed successes; nil unless there are too few.
    package var completionsNeeded: Int?

    /// Adds the reasons against a review that can only be written on a page.
    /// - Parameters:
    ///   - page: the address of the page; nil if it is not known.
    ///   - isOnline: whether this machine has a network.
    package mutating func requirePage(_ page: String?, isOnline: Bool) {
        if page == nil { reasons.append(.noPage) }
        if !isOnline { reasons.append(.offline) }
    }

    /// Whether the app may ask.
    package var isEligible: Bool { reasons.isEmpty }
}

extension ReviewVerdict {
    /// The result of `review-eligible` for this verdict.
    package func eligibility(of app: String) -> ReviewResult {
        result(app: app, question: .eligible, eligibleAt: eligibleAt)
    }

    /// The result of `review-request` for this verdict, which must be a refusal.
    package func refusal(of app: String) -> ReviewResult {
        result(app: app, question: .request(reviewURL: nil), eligibleAt: eligibleAt)
    }

    /// The result of a `review-request` that was granted and is on disk.
    /// - Parameters:
    ///   - next: the earliest time of the next request.
    ///   - page: the address of the page on which to write the review; nil if it is not known.
    package static func grant(to app: String, next: Timestamp, page: String?) -> ReviewResult {
        ReviewVerdict().result(app: app, question: .request(reviewURL: page), eligibleAt: next)
    }

    private func result(app: String, question: ReviewResult.Question, eligibleAt: Timestamp?) -> ReviewResult {
        ReviewResult(
            app: app, question: question, reasons: reasons, eligibleAt: eligibleAt,
            completionsNeeded: completionsNeeded,
            advice: reasons.lazy.compactMap(\.advice).first)
    }
}

extension ReviewResult.Reason {
    fileprivate var advice: String? {
        switch self {
        case .neverLaunched: "Call launch each time this app starts; its waiting time begins with the first call."
        case .notConfigured: "Configure the app's catalog first, with \"promoctl setup\" and its address."
        case .sample:
            "The apps of the sample are made up; configure a catalog, with \"promoctl setup\" and its address."
        case .tooFewCompletions, .tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest, .yearlyLimit, .noPage, .offline:
            nil
        }
    }
}
