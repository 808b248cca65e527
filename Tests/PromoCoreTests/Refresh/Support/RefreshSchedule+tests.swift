import PromoCore
import PromoWire

extension RefreshSchedule {
    /// A schedule at a start of the daemon, by default with the default policy, an origin and nothing served.
    /// - Parameter draw: where each random number lies in its range, from 0 to 1.
    static func started(
        _ record: Record = Record(), policy: RefreshPolicy = RefreshPolicy(), hasOrigin: Bool = true,
        held: Held = .nothing, now: Timestamp = .start, draw: Double = 1
    ) -> RefreshSchedule {
        RefreshSchedule(record, policy: policy, hasOrigin: hasOrigin, held: held, now: now) { range in
            range.lowerBound + (range.upperBound - range.lowerBound) * draw
        }
    }

    /// The schedule of a running daemon that has just fetched the catalog at the start.
    static func running(policy: RefreshPolicy = RefreshPolicy(), draw: Double = 1) -> RefreshSchedule {
        var schedule = started(policy: policy, draw: draw)
        _ = schedule.timerFired(now: .start)
        schedule.succeeded(.updated, isWhole: true, now: .start)
        return schedule
    }

    /// The schedule of the next process, which knows only the record's file and what is served.
    func restarted(now: Timestamp, draw: Double = 1) -> RefreshSchedule {
        .started(
            Record(fileBytes: record.fileBytes) ?? Record(), policy: policy, hasOrigin: hasOrigin, held: held,
            now: now, draw: draw)
    }

    /// Begins the fetch that is planned, at its time, and lets it fail at once.
    /// - Returns: when that was.
    @discardableResult
    mutating func fail(status: Int? = nil, retryAfter: Duration? = nil) -> Timestamp {
        let now = next?.at ?? .start
        _ = timerFired(now: now)
        failed(.dead, status: status, retryAfter: retryAfter, now: now)
        return now
    }

    mutating func failed(_ failure: Failure = .dead, retryAfter: Duration? = nil, now: Timestamp) {
        failed(failure, status: nil, retryAfter: retryAfter, now: now)
    }

    /// Whether a request to refresh begins a fetch.
    mutating func fetches(now: Timestamp) -> Bool {
        if case .fetch = refreshRequested(now: now) { true } else { false }
    }
}

extension Failure {
    static let dead = Failure(.connect, "Cannot connect.")
}
