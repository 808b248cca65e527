package import PromoWire

/// Decides when to fetch the catalog. It takes events with the time of each, and returns what to do.
///
/// After each event, the caller sets a timer for ``next`` and writes ``schedule`` to disk.
package struct RefreshMachine<Generator: RandomNumberGenerator> {
    /// Why the next attempt is planned for its time.
    package typealias Reason = RefreshStatus.Reason

    /// The time and the reason of the next attempt.
    package struct Appointment: Equatable, Sendable {
        package var at: Timestamp
        package var reason: Reason
    }

    /// Identifies a fetch, so that the end of a cancelled fetch is not taken for the end of the current one.
    package struct FetchID: Equatable, Sendable {
        var number: Int
    }

    /// The caller's answer to a manual refresh.
    package enum RequestAction: Equatable, Sendable {
        /// Refuse it, because no URL is configured.
        case refuse
        /// Refuse it, because the origin's Retry-After has not ended.
        case throttle(until: Timestamp)
        /// Let it wait for the fetch that is under way or that begins at the end of the gap.
        case join
        case fetch(FetchID)
    }

    /// What the machine waits for.
    enum State {
        case idle
        /// A promised attempt waits only for the gap to end, so requests can join it.
        case planned(ClockedTime, Reason, isPromised: Bool = false)
        case fetching(FetchID)
    }

    package internal(set) var policy: RefreshPolicy
    /// Whether there is a URL to fetch from.
    package internal(set) var hasOrigin: Bool
    /// When the served catalog was fetched or confirmed; nil without one.
    @Clocked package internal(set) var fetchedAt: Timestamp?
    /// The part of the state that survives a restart.
    package internal(set) var schedule: RefreshSchedule
    var state = State.idle
    /// The number of requested attempts in a row, with the one under way, since one brought something new.
    var requests = 0
    /// The number of clears in a row.
    var clears = 0
    var lastFetch = 0
    var generator: Generator

    /// Creates a machine at the daemon's start, from the state on disk.
    package init(
        policy: RefreshPolicy, hasOrigin: Bool, fetchedAt: Timestamp?, schedule: RefreshSchedule, now: Timestamp,
        generator: Generator
    ) {
        self.policy = policy
        self.hasOrigin = hasOrigin
        self.schedule = schedule
        self.generator = generator
        self.fetchedAt = fetchedAt
        drawPhase()
        countInterruptedAttempt(now: now)
        forgetImpossibleTimes(now: now)
        if let time = self.fetchedAt, time.isBelievable(now: now) {
            self.schedule.missed(
                policy.dueAt(fetchedAt: time, phase: self.schedule.phase, off: self.schedule.off), now: now)
        }
        plan(missed: .startup, now: now)
        if fetchedAt != nil, next?.reason == .startup { self.schedule.countStartDelay() }
    }

    /// The next attempt; nil while a fetch is under way, and if none is planned.
    package var next: Appointment? {
        guard case .planned(let time, let reason, let isPromised) = state else { return nil }
        return Appointment(at: isPromised ? time.current : time.earliest, reason: reason)
    }

    /// The fetch that is under way.
    package var fetching: FetchID? { if case .fetching(let id) = state { id } else { nil } }

    var isPromised: Bool { if case .planned(_, _, isPromised: true) = state { true } else { false } }

    /// Whether a fetch is under way, or waits only for the gap to end.
    package var isLoading: Bool { fetching != nil || isPromised }

    /// The wall clock was set forward, or back by a negative duration, and later events have times by the clock as it is set now.
    ///
    /// A step never makes the catalog younger or a wait longer, and the gap stays as long as it is.
    package mutating func clockSet(by step: Duration, now: Timestamp) {
        _fetchedAt.clockSet(by: step)
        if case .planned(var time, let reason, let isPromised) = state {
            time.clockSet(by: step)
            state = .planned(time, reason, isPromised: isPromised)
        }
        schedule.clockSet(by: step)
        // An attempt that is overdue stays overdue, so that it is spread.
        if allowedAt(now: now) > now { waitUntilAllowed(now: now) }
    }

    /// Fills in the machine's part of a status.
    package func report(to status: inout RefreshStatus, now: Timestamp) {
        func ifAhead(_ time: Timestamp?) -> Timestamp? { time.flatMap { $0 > now ? $0 : nil } }
        status.activity = isLoading ? .loading : .idle
        status.nextAt = next?.at
        status.reason = next?.reason ?? .none
        status.retryAfter = ifAhead(schedule.retryAfter)
        status.attempt = schedule.attempt
        status.gone = schedule.gone
        status.lastAttemptAt = schedule.lastAttemptAt
        status.lastOutcome = schedule.lastOutcome
        status.lastError = schedule.lastError
        status.heldBack = schedule.heldBack?.status
        let gap = gapEnd(now: now, afterRequests: requests).map { $0 - policy.longestJoin }
        status.refusedUntil = ifAhead([schedule.retryAfter, gap].compactMap(\.self).max())
    }
}

extension RefreshMachine: Sendable where Generator: Sendable {}
