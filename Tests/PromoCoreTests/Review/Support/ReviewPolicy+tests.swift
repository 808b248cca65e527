import PromoCore
import PromoWire

extension ReviewPolicy {
    /// The policy's verdict at ``Timestamp/start`` about an app whose launch and requests were the given durations ago.
    func judge(
        launched: Duration? = .days(1000), requested: [Duration] = [], completed: Int = 3, now: Timestamp = .start
    ) -> ReviewVerdict {
        let record = ReviewRecord(
            firstLaunch: launched.map { .start - $0 }, requests: requested.map { .start - $0 })
        return judge(record, completed: completed, now: now)
    }
}

extension ReviewVerdict {
    /// A verdict with the given reasons.
    static func of(_ reasons: [ReviewResult.Reason], eligibleAt: Timestamp? = nil) -> ReviewVerdict {
        var verdict = ReviewPolicy().judge(launched: .days(1000))
        verdict.reasons = reasons
        verdict.eligibleAt = eligibleAt
        return verdict
    }
}

extension ReviewHistory {
    /// A history of apps, each with its requests at the given ages, and launched `launched` before ``Timestamp/start``.
    static func of(_ apps: [String: [Duration]], launched: Duration = .days(1000)) -> ReviewHistory {
        var history = ReviewHistory()
        for (app, ages) in apps {
            history.recordLaunch(of: app, at: .start - launched)
            for age in ages { history.recordRequest(of: app, at: .start - age) }
        }
        return history
    }

    private mutating func change<Result>(
        _ app: String, _ catalog: String, _ body: (inout ReviewRecord) -> Result
    ) -> Result {
        var record = self[app, in: catalog] ?? ReviewRecord()
        defer { self[app, in: catalog] = record }
        return body(&record)
    }

    /// Records an app's first launch.
    mutating func recordLaunch(of app: String, in catalog: String = "default", at time: Timestamp) {
        change(app, catalog) { $0.firstLaunch = time.roundedDownToSecond }
    }

    /// Records a review request of an app.
    mutating func recordRequest(of app: String, in catalog: String = "default", at time: Timestamp) {
        change(app, catalog) { $0.recordRequest(at: time.roundedDownToSecond) }
    }

    /// The file as text.
    var text: String { String(decoding: fileBytes, as: UTF8.self) }

    /// Reads a file's text.
    init(text: String) throws(Unreadable) {
        self = try ReviewHistory(fileBytes: Array(text.utf8))
    }
}
