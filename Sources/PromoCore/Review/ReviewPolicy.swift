package import PromoWire

/// When an app may ask for a review; the value decides, with the time passed in.
package struct ReviewPolicy: Equatable, Sendable {
    /// Completed successes that a person must have had.
    package var minimumCompletions = 3
    package var minimumDaysSinceFirstLaunch = 7
    package var minimumDaysSinceLastRequest = 30
    /// Requests in 365 days; 0 turns this limit off.
    package var maximumPerYear = 3

    /// The policy of the defaults.
    package init() {}

    /// Whether an app may ask now, by its history and by the page that a client may need.
    /// - Parameter page: where to write the review; nil if that is not known.
    package func judge(
        _ parameters: ReviewParameters, _ record: ReviewRecord?, page: String?, isOnline: () -> Bool, now: Timestamp
    ) -> ReviewVerdict {
        var verdict = judge(record, completed: parameters.completed, now: now)
        if parameters.needsPage { verdict.requirePage(page, isOnline: isOnline()) }
        return verdict
    }

    /// Whether an app with that history may ask now, and what stands against it.
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

    /// The waits that a history brings with it, in the order of the reasons, each with its end.
    private func waits(_ record: ReviewRecord?) -> [(ReviewResult.Reason, end: Timestamp?)] {
        [
            (.tooSoonAfterFirstLaunch, record?.firstLaunch.map { $0 + .days(minimumDaysSinceFirstLaunch) }),
            (.tooSoonAfterLastRequest, record?.requests.last.map { $0 + .days(minimumDaysSinceLastRequest) }),
            (.yearlyLimit, yearlyLimitEnd(record?.requests ?? [])),
        ]
    }

    /// When fewer than the allowed requests lie within a year: a year after the oldest of the last so many.
    private func yearlyLimitEnd(_ requests: [Timestamp]) -> Timestamp? {
        guard maximumPerYear > 0, requests.count >= maximumPerYear else { return nil }
        return requests[requests.count - maximumPerYear] + ReviewRecord.year
    }
}

extension Duration {
    /// So many days of 86,400 seconds.
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
