package import PromoWire

/// Decides whether an app may ask for a review.
package struct ReviewPolicy: Equatable, Sendable {
    /// The number of successes that the person must have completed.
    package var minimumCompletions = 3
    package var minimumDaysSinceFirstLaunch = 7
    package var minimumDaysSinceLastRequest = 30
    /// The maximum number of requests in 365 days; 0 for no limit.
    package var maximumPerYear = 3

    /// Creates the default policy.
    package init() {}

    /// Whether an app may ask now, given its record and whether the client needs a page.
    /// - Parameter page: the address of the page on which to write the review; nil if it is not known.
    package func judge(
        _ parameters: ReviewParameters, _ record: ReviewRecord?, page: String?, isOnline: () -> Bool, now: Timestamp
    ) -> ReviewVerdict {
        var verdict = judge(record, completed: parameters.completed, now: now)
        if parameters.needsPage { verdict.requirePage(page, isOnline: isOnline()) }
        return verdict
    }

    /// Whether an app with this record may ask now and, if not, why.
    package func judge(_ record: ReviewRecord?, completed: Int, now: Timestamp) -> ReviewVerdict {
        let record = record?.believed(now: now)
        var verdict = ReviewVerdict()
        if record?.firstLaunch == nil { verdict.reasons.append(.neverLaunched) }
        if completed < minimumCompletions {
            verdict.reasons.append(.tooFewCompletions)
            verdict.completionsNeeded = minimumCompletions
        }
        for (reason, end) in waits(record) {
            guard let end, now < end else { continue }
            verdict.reasons.append(reason)
            verdict.eligibleAt = max(verdict.eligibleAt ?? end, end)
        }
        return verdict
    }

    /// The waits that follow from a record, in the order of the reasons, each with its end.
    private func waits(_ record: ReviewRecord?) -> [(ReviewResult.Reason, end: Timestamp?)] {
        [
            (.tooSoonAfterFirstLaunch, record?.firstLaunch.map { $0 + .days(minimumDaysSinceFirstLaunch) }),
            (.tooSoonAfterLastRequest, record?.requests.last.map { $0 + .days(minimumDaysSinceLastRequest) }),
            (.yearlyLimit, yearlyLimitEnd(record?.requests ?? [])),
        ]
    }

    /// When the yearly limit allows the next request: a year after the oldest of the last `maximumPerYear` requests.
    private func yearlyLimitEnd(_ requests: [Timestamp]) -> Timestamp? {
        guard maximumPerYear > 0, requests.count >= maximumPerYear else { return nil }
        return requests[requests.count - maximumPerYear] + ReviewRecord.year
    }
}

extension ReviewParameters {
    /// The page on which to write the review: that of the catalog, else Apple's for the number in the request; nil if neither exists.
    package func page(in catalog: PreparedCatalog?) -> String? {
        catalog?.reviewURL(of: app) ?? appStoreID.map(StorePage.appleReview)
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
