package import PromoWire

extension ReviewVerdict {
    /// The verdict as `review-eligible` answers it.
    package func eligibility(of app: String) -> ReviewResult {
        result(app: app, question: .eligible, eligibleAt: eligibleAt)
    }

    /// The verdict as `review-request` answers it, where it is a refusal.
    package func refusal(of app: String) -> ReviewResult {
        result(app: app, question: .request(reviewURL: nil), eligibleAt: eligibleAt)
    }

    /// The answer to a `review-request` that was granted and is on disk.
    /// - Parameters:
    ///   - next: when the next is possible at the earliest.
    ///   - page: where to write the review; nil if that is not known.
    package static func grant(to app: String, next: Timestamp, page: String?) -> ReviewResult {
        ReviewVerdict().result(app: app, question: .request(reviewURL: page), eligibleAt: next)
    }

    private func result(app: String, question: ReviewResult.Question, eligibleAt: Timestamp?) -> ReviewResult {
        let advice = "Call launch with this app each time that it starts; its wait begins with the first."
        return ReviewResult(
            app: app, question: question, reasons: reasons, eligibleAt: eligibleAt,
            completionsNeeded: completionsNeeded,
            advice: reasons.contains(.neverLaunched) ? advice : nil)
    }
}
