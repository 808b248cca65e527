package import PromoWire

/// Decides whether an app may ask for a review.
package struct ReviewPolicy: Equatable, Sendable {
    /// The number of successes that the person must have completed, unless a request has one of its own.
    package var minimumCompletions = 3
    /// If it is 0, an app that was never launched may ask, too.
    package var minimumDaysSinceFirstLaunch = 7
    package var minimumDaysSinceLastRequest = 30
    /// The maximum number of requests in 365 days; 0 for no limit.
    package var maximumPerYear = 3

    /// Creates the default policy.
    package init() {}

    /// Whether an app with this record may ask now and, if not, why.
    /// - Parameters:
    ///   - page: the address of the page on which to write the review; nil if it is not known.
    ///   - isOnline: whether this machine has a network, which matters if the review can only be written on a page.
    package func judge(
        _ parameters: ReviewParameters, _ record: ReviewRecord, page: String?, isOnline: () -> Bool, now: Timestamp
    ) -> ReviewResult {
        var (result, reasons) = (ReviewResult(), [ReviewResult.Reason]())
        result.app = parameters.app
        if record.firstLaunch == nil, minimumDaysSinceFirstLaunch > 0 {
            reasons.append(.neverLaunched)
            result.advice = "Call launch each time this app starts; its waiting time begins with the first call."
        }
        let minimum = parameters.minimum ?? minimumCompletions
        if parameters.completed < minimum {
            reasons.append(.tooFewCompletions)
            result.completionsNeeded = minimum
        }
        let waits = waits(record, now: now)
        reasons += waits.map(\.reason)
        result.eligibleAt = waits.map(\.end).max()
        if parameters.needsPage {
            if page == nil { reasons.append(.noPage) }
            if !isOnline() { reasons.append(.offline) }
        }
        result.reasons = reasons.map(Growing.init)
        return result
    }

    /// The waits that follow from a record and have not ended, in the order of the reasons.
    func waits(_ record: ReviewRecord, now: Timestamp) -> [(reason: ReviewResult.Reason, end: Timestamp)] {
        let ends: [(reason: ReviewResult.Reason, end: Timestamp?)] = [
            (.tooSoonAfterFirstLaunch, record.firstLaunch.map { $0 + .days(minimumDaysSinceFirstLaunch) }),
            (.tooSoonAfterLastRequest, record.requests.last.map { $0 + .days(minimumDaysSinceLastRequest) }),
            (.yearlyLimit, yearlyLimitEnd(record.requests)),
        ]
        return ends.compactMap { reason, end in
            end.flatMap { now < $0 ? (reason, $0) : nil }
        }
    }

    /// When the yearly limit allows the next request: a year after the oldest of the last `maximumPerYear` requests.
    private func yearlyLimitEnd(_ requests: [Timestamp]) -> Timestamp? {
        guard maximumPerYear > 0, requests.count >= maximumPerYear else { return nil }
        return requests[requests.count - maximumPerYear] + ReviewRecord.year
    }
}

extension ReviewParameters {
    /// The page on which to write the review: that of the request, else that of the catalog, else Apple's for the number in the request; nil
    /// if there is none.
    package func page(in catalog: PreparedCatalog?) -> String? {
        page ?? catalog?.reviewURL(of: app) ?? appStoreID.map(StoreNumber.reviewPage)
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
