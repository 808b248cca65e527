package import PromoWire

/// Decides when the catalog is fetched. Events go in with the time; what to do comes out, and nothing here does it.
///
/// After each event the performer keeps a timer at ``next`` and ``schedule`` on disk.
package struct RefreshMachine<Generator: RandomNumberGenerator> {
    /// Why the next attempt comes when it does.
    package typealias Reason = RefreshStatus.Reason

    /// The next attempt.
    package struct Appointment: Equatable, Sendable {
        package var at: Timestamp
        package var reason: Reason
    }

    /// Names one fetch, so that the end of one that was cancelled is told from the end of the current one.
    package struct FetchID: Equatable, Sendable {
        fileprivate var number: Int
    }

    /// What an event asks of the performer.
    package enum Action: Equatable, Sendable {
        case none
        case fetch(FetchID)
    }

    /// What becomes of a refresh by hand.
    package enum RequestAction: Equatable, Sendable {
        /// No URL is configured.
        case refuse
        /// The origin asked to be left alone until then.
        case throttle(until: Timestamp)
        /// A fetch is under way, or begins when the gap after the last one ends, and serves this request too.
        case join
        case fetch(FetchID)
    }

    /// The numbers to decide by.
    package private(set) var policy: RefreshPolicy
    /// Whether there is a URL to fetch from.
    package private(set) var hasOrigin: Bool
    /// When the catalog that is held was fetched or confirmed; nil while none is.
    package private(set) var fetchedAt: Timestamp?
    /// What outlives the process.
    package private(set) var schedule: RefreshSchedule
    /// The next attempt; nil while one is under way or none will be.
    package private(set) var next: Appointment?
    /// The fetch under way.
    package private(set) var fetching: FetchID?
    /// Whether the next attempt was asked for and waits for nothing but the end of the gap.
    private var isPromised = false

    private var lastFetch = 0
    private var generator: Generator

    /// An origin's wish to be left alone is honoured for so long at most.
    private static var longestRetryAfter: Duration { .seconds(86_400) }
    /// A timer that fires later than this slept with the machine, or the clock was set.
    private static var punctuality: Duration { .seconds(60) }

    /// A machine at the start of a daemon, with what was found on disk.
    package init(
        policy: RefreshPolicy, hasOrigin: Bool, fetchedAt: Timestamp?, schedule: RefreshSchedule, now: Timestamp,
        generator: Generator
    ) {
        self.policy = policy
        self.hasOrigin = hasOrigin
        self.fetchedAt = fetchedAt
        self.schedule = schedule
        self.generator = generator
        countAttemptWithoutEnd(now: now)
        forgetImpossibleTimes(now: now)
        plan(expired: .startup, now: now)
    }

    /// Whether a fetch is under way or as good as that.
    package var isLoading: Bool { fetching != nil || isPromised }

    /// The end of the gap and of what the origin asked for, which may lie in the past.
    private func allowedAt(now: Timestamp) -> Timestamp {
        max(gapEnd(now: now) ?? now, schedule.retryAfter ?? now)
    }

    private func gapEnd(now: Timestamp) -> Timestamp? {
        // On disk the end is rounded up, and may lie a moment ahead of a daemon that starts at once.
        schedule.lastEndAt.map { min($0, now) + policy.minimumGap }
    }

    /// Whether a catalog is held that is past its time.
    package func isExpired(now: Timestamp) -> Bool {
        fetchedAt.map { policy.isExpired(fetchedAt: $0, now: now) } ?? false
    }

    // MARK: Events

    /// A timer of ``next`` fired.
    /// - Parameter elapsed: whether the time passed on a clock that cannot be set, so that it is due whatever the wall clock says.
    package mutating func timerFired(elapsed: Bool, now: Timestamp) -> Action {
        forgetImpossibleTimes(now: now)
        guard let due = next, fetching == nil, elapsed || now >= due.at else { return .none }
        let slept = now - due.at > Self.punctuality
        if slept && isExpired(now: now) && due.reason != .resume && policy.spread > .zero && !isPromised {
            next = Appointment(at: now + randomSpread(), reason: .resume)
            return .none
        }
        return .fetch(begin(now: now))
    }

    /// Somebody asks for a refresh now.
    package mutating func refreshRequested(now: Timestamp) -> RequestAction {
        forgetImpossibleTimes(now: now)
        guard hasOrigin else { return .refuse }
        guard !isLoading else { return .join }
        if let end = schedule.retryAfter, now < end { return .throttle(until: end) }
        if let end = gapEnd(now: now), now < end {
            planAsSoonAsAllowed(.startup, now: now)
            return .join
        }
        return .fetch(begin(now: now))
    }

    /// Somebody was shown an expired catalog; what is due need not wait for its spread.
    package mutating func expiredCatalogServed(now: Timestamp) -> Action {
        forgetImpossibleTimes(now: now)
        guard hasOrigin, fetching == nil, isExpired(now: now), now >= allowedAt(now: now),
            now >= schedule.notBefore ?? now
        else { return .none }
        return .fetch(begin(now: now))
    }

    /// A fetch ended. False if it had been cancelled, and its end means nothing any more.
    package mutating func fetchEnded(_ id: FetchID, _ end: FetchEnd, now: Timestamp) -> Bool {
        guard fetching == id else { return false }
        fetching = nil
        schedule.lastEndAt = now
        switch end {
        case .updated, .unchanged:
            fetchedAt = now
            if case .updated = end { schedule.succeeded(.updated) } else { schedule.succeeded(.unchanged) }
        case .failed(let failure, let retryAfter, let isOffline):
            if !isOffline { schedule.countFailure() }
            schedule.notBefore = now + policy.backoff.delay(failures: schedule.attempt, using: &generator)
            schedule.retryAfter = retryAfter.map { now + min($0, Self.longestRetryAfter) }
            schedule.lastOutcome = .failed
            schedule.lastError = failure
        }
        plan(expired: .expiry, now: now)
        return true
    }

    /// A catalog of this origin was fetched by somebody else, and is held now: what failed before is over.
    package mutating func fetchedElsewhere(at time: Timestamp, now: Timestamp) {
        fetchedAt = time
        schedule.succeeded(.updated)
        schedule.lastAttemptAt = time
        schedule.lastEndAt = time
        guard fetching == nil else { return }
        plan(expired: .startup, now: now)
    }

    /// The catalog was cleared on request. A fetch under way is cancelled, and the next begins as soon as the origin may be asked.
    package mutating func cleared(now: Timestamp) {
        cancelFetch(now: now)
        forgetImpossibleTimes(now: now)
        fetchedAt = nil
        planAsSoonAsAllowed(.startup, now: now)
    }

    /// A default route appeared: a backoff ends after a second of quiet. One that is over already leaves the spread alone.
    package mutating func networkAppeared(now: Timestamp) {
        let isBackingOff = isBackingOff(now: now)
        forgetImpossibleTimes(now: now)
        guard !isLoading, isBackingOff, let current = next else { return }
        let quiet = now + .milliseconds(1000 + Int64.random(in: 0...1000, using: &generator))
        let limit = current.reason == .network ? schedule.notBefore ?? quiet : current.at
        next = Appointment(at: min(quiet, limit), reason: .network)
        waitUntilAllowed(now: now)
    }

    /// Another configuration is in force, with the same origin.
    package mutating func configured(_ policy: RefreshPolicy, fetchedAt: Timestamp?, now: Timestamp) {
        self.policy = policy
        self.fetchedAt = fetchedAt
        guard fetching == nil else { return }
        // Whoever reloads in a backoff probably fixed something.
        let isAtOnce = isPromised || isBackingOff(now: now)
        forgetImpossibleTimes(now: now)
        if isAtOnce { planAsSoonAsAllowed(.startup, now: now) } else { plan(expired: .startup, now: now) }
    }

    /// Another configuration is in force, with another origin or none. A fetch under way is cancelled.
    /// - Parameters:
    ///   - schedule: what is remembered of that origin; nil where there is none.
    ///   - fetchedAt: when the catalog that is held of it was fetched.
    package mutating func originChanged(
        _ policy: RefreshPolicy, schedule: RefreshSchedule?, fetchedAt: Timestamp?, now: Timestamp
    ) {
        cancelFetch(now: now)
        self.policy = policy
        self.hasOrigin = schedule != nil
        self.schedule = schedule ?? RefreshSchedule()
        self.fetchedAt = fetchedAt
        forgetImpossibleTimes(now: now)
        plan(expired: .startup, now: now)
    }

    /// The daemon stops: a fetch under way is cancelled.
    package mutating func stopped(now: Timestamp) {
        cancelFetch(now: now)
        next = nil
    }

    // MARK: Plans

    private mutating func begin(now: Timestamp) -> FetchID {
        lastFetch += 1
        let id = FetchID(number: lastFetch)
        fetching = id
        next = nil
        isPromised = false
        schedule.lastAttemptAt = now
        return id
    }

    private mutating func cancelFetch(now: Timestamp) {
        isPromised = false
        guard fetching != nil else { return }
        fetching = nil
        schedule.lastEndAt = now
    }

    /// Appoints the next attempt; `expired` is the reason where the catalog is past its time already.
    private mutating func plan(expired reason: Reason, now: Timestamp) {
        isPromised = false
        guard hasOrigin else {
            next = nil
            return
        }
        if let notBefore = schedule.notBefore, notBefore > now {
            next = Appointment(at: notBefore, reason: .retry)
        } else if let fetchedAt {
            let isExpired = policy.isExpired(fetchedAt: fetchedAt, now: now)
            let due = isExpired ? now : fetchedAt + policy.interval
            next = Appointment(at: due + randomSpread(), reason: isExpired ? reason : .expiry)
        } else {
            return planAsSoonAsAllowed(.startup, now: now)
        }
        waitUntilAllowed(now: now)
    }

    private mutating func planAsSoonAsAllowed(_ reason: Reason, now: Timestamp) {
        next = hasOrigin ? Appointment(at: now, reason: reason) : nil
        waitUntilAllowed(now: now)
        isPromised = hasOrigin && now >= schedule.retryAfter ?? now
    }

    /// Puts what is planned off to the end of the gap and of the Retry-After.
    private mutating func waitUntilAllowed(now: Timestamp) {
        guard let planned = next else { return }
        let allowedAt = allowedAt(now: now)
        guard allowedAt >= planned.at else { return }
        next = Appointment(at: allowedAt, reason: allowedAt == schedule.retryAfter ? .retryAfter : planned.reason)
    }

    private func isBackingOff(now: Timestamp) -> Bool {
        schedule.notBefore.map { $0 > now } ?? false
    }

    /// An attempt that never ended died with its process, perhaps of what it fetched: a failure, so that a loop of
    /// crashes does not hammer the origin.
    private mutating func countAttemptWithoutEnd(now: Timestamp) {
        guard let begin = schedule.lastAttemptAt, begin <= now, schedule.lastEndAt.map({ $0 < begin }) ?? true
        else { return }
        schedule.countFailure()
        schedule.notBefore = now + policy.backoff.delay(failures: schedule.attempt, using: &generator)
        schedule.lastEndAt = now
    }

    private mutating func randomSpread() -> Duration {
        .milliseconds(Int64.random(in: 0...max(policy.spread.milliseconds, 0), using: &generator))
    }

    /// Drops what a clock that ran ahead left on disk: no wait may be longer than it could have been when it was drawn.
    private mutating func forgetImpossibleTimes(now: Timestamp) {
        if let time = schedule.notBefore, time > now + policy.backoff.ceiling(failures: schedule.attempt) + .seconds(1)
        {
            schedule.notBefore = nil
        }
        if let time = schedule.retryAfter, time > now + Self.longestRetryAfter + .seconds(1) {
            schedule.retryAfter = nil
        }
        if let time = schedule.lastEndAt, time > now + .seconds(1) { schedule.lastEndAt = nil }
    }
}

extension RefreshMachine: Sendable where Generator: Sendable {}
