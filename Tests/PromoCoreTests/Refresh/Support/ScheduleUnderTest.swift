@testable import PromoCore
import PromoWire

/// A schedule whose events can stand in an expectation.
@dynamicMemberLookup
final class ScheduleUnderTest {
    private var schedule: RefreshSchedule

    private init(_ schedule: RefreshSchedule) { self.schedule = schedule }

    subscript<Value>(dynamicMember path: KeyPath<RefreshSchedule, Value>) -> Value { schedule[keyPath: path] }

    /// A schedule at a start of the daemon, by default with an origin and nothing served.
    /// - Parameter draw: where each random number lies in its range, from 0 to 1.
    static func started(
        _ record: RefreshSchedule.Record = .init(), policy: RefreshPolicy = .tested, hasOrigin: Bool = true,
        held: RefreshSchedule.Held = .nothing, now: Timestamp = .start, draw: Double = 1
    ) -> ScheduleUnderTest {
        ScheduleUnderTest(
            RefreshSchedule(record, policy: policy, hasOrigin: hasOrigin, held: held, now: now) { range in
                range.lowerBound + (range.upperBound - range.lowerBound) * draw
            })
    }

    /// The schedule of a running daemon that has just fetched the catalog at the start.
    static func running(policy: RefreshPolicy = .tested, draw: Double = 1) -> ScheduleUnderTest {
        let subject = started(policy: policy, draw: draw)
        _ = subject.timerFired(now: .start)
        subject.succeeded(.updated, isWhole: true, now: .start)
        return subject
    }

    /// The schedule of the next process, which knows only the record's file and what is served.
    func restarted(now: Timestamp, draw: Double = 1) -> ScheduleUnderTest {
        .started(
            .init(fileBytes: schedule.record.fileBytes) ?? .init(), policy: schedule.policy,
            hasOrigin: schedule.hasOrigin, held: schedule.held, now: now, draw: draw)
    }

    // MARK: Events

    func timerFired(now: Timestamp) -> RefreshSchedule.Fetch? { schedule.timerFired(now: now) }
    func answered(now: Timestamp) -> RefreshSchedule.Fetch? { schedule.answered(now: now) }
    func isExpired(now: Timestamp) -> Bool { schedule.isExpired(now: now) }
    func refreshRequested(now: Timestamp) -> RefreshSchedule.RequestAction { schedule.refreshRequested(now: now) }
    func cancelled(now: Timestamp) { schedule.cancelled(now: now) }
    func serves(_ held: RefreshSchedule.Held, now: Timestamp) { schedule.serves(held, now: now) }
    func requestChanged(now: Timestamp) { schedule.requestChanged(now: now) }
    func clockSet(now: Timestamp) { schedule.clockSet(now: now) }
    func routeAppeared(now: Timestamp) { schedule.routeAppeared(now: now) }

    func configured(_ policy: RefreshPolicy, now: Timestamp) {
        schedule.configured(policy, hasOrigin: true, now: now)
    }

    func succeeded(
        _ outcome: RefreshResult.Outcome, isWhole: Bool, arrival: Timestamp? = nil, now: Timestamp
    ) {
        schedule.succeeded(outcome, isWhole: isWhole, arrival: arrival, now: now)
    }

    func failed(status: Int? = nil, retryAfter: Duration? = nil, now: Timestamp) {
        schedule.failed(Failure(.connect, "Cannot connect."), status: status, retryAfter: retryAfter, now: now)
    }

    /// Begins the fetches that are planned, each at its time, and lets them fail at once.
    /// - Returns: when the last was.
    @discardableResult
    func fail(_ times: Int = 1, status: Int? = nil, retryAfter: Duration? = nil) -> Timestamp {
        var now = Timestamp.start
        for _ in 1...times {
            now = schedule.next?.at ?? now
            _ = timerFired(now: now)
            failed(status: status, retryAfter: retryAfter, now: now)
        }
        return now
    }

    /// Whether a request to refresh begins a fetch.
    func fetches(now: Timestamp) -> Bool { if case .fetch = refreshRequested(now: now) { true } else { false } }
}

extension RefreshPolicy {
    /// The figures that expectations of tests name, whatever the defaults are.
    static let tested: RefreshPolicy = {
        var policy = RefreshPolicy()
        (policy.interval, policy.base, policy.cap) = (.hours(24), .minutes(1), .hours(1))
        return policy
    }()
}
