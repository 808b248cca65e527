package import PromoWire

extension RefreshSchedule {
    /// Fills in the schedule's part of a status.
    package func report(to status: inout RefreshStatus, now: Timestamp) {
        status.activity = isFetching ? .loading : .idle
        (status.nextAt, status.reason) = (next?.at, next?.reason ?? .none)
        status.retryAfter = record.retryAfter.flatMap { $0 > now ? $0 : nil }
        (status.attempt, status.lastAttemptAt) = (record.failures, record.lastAttemptAt)
        (status.lastOutcome, status.lastError) = (record.lastOutcome, record.lastError)
    }
}
