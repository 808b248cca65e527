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
        fileprivate var number: Int
    }

    /// What the caller has to do after an event.
    package enum Action: Equatable, Sendable {
        case none
        case fetch(FetchID)
    }

    /// What the caller has to do with a refresh by hand.
    package enum RequestAction: Equatable, Sendable {
        /// Refuse it, because no URL is configured.
        case refuse
        /// Refuse it, because the origin's Retry-After has not ended.
        case throttle(until: Timestamp)
        /// Let it wait for the fetch that is under way, or that begins when the gap after the last one ends.
        case join
        case fetch(FetchID)
    }

    package private(set) var policy: RefreshPolicy
    /// Whether there is a URL to fetch from.
    package private(set) var hasOrigin: Bool
    /// When the catalog that is held was fetched or confirmed; nil if none is held.
    package private(set) var fetchedAt: Timestamp? {
        get { fetched?.earliest }
        set { fetched = newValue.map(ClockedTime.init) }
    }
    /// The state that must survive a restart.
    package private(set) var schedule: RefreshSchedule
    /// The next attempt; nil while a fetch is under way, and if none is planned.
    package private(set) var next: Appointment? {
        get {
            appointment.map { Appointment(at: isPromised ? $0.time.current : $0.time.earliest, reason: $0.reason) }
        }
        set { appointment = newValue.map { (ClockedTime($0.at), $0.reason) } }
    }
    private var fetched: ClockedTime?
    private var appointment: (time: ClockedTime, reason: Reason)?
    /// The fetch that is under way.
    package private(set) var fetching: FetchID?
    /// Whether the next attempt waits only for the gap to end, so that requests can already count on it.
    private var isPromised = false
    /// Whether the last attempt failed because there was no network.
    private var isOffline = false

    /// How many attempts in a row clients asked for, with the one under way, since one brought something new.
    private var requests = 0
    /// How often the catalog was cleared in a row.
    private var clears = 0
    private var lastFetch = 0
    private var generator: Generator

    /// If a timer fires later than this, the machine was suspended or the clock was set.
    private static var punctuality: Duration { .seconds(60) }

    /// Creates a machine at the daemon's start, from what was found on disk.
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
        countAttemptWithoutEnd(now: now)
        forgetImpossibleTimes(now: now)
        if let time = self.fetchedAt, RefreshPolicy.isBelievable(fetchedAt: time, now: now) {
            learnOffHours(
                due: policy.dueAt(fetchedAt: time, phase: self.schedule.phase, off: self.schedule.off), now: now)
        }
        plan(missed: .startup, now: now)
        if fetchedAt != nil, next?.reason == .startup { self.schedule.drewDelay() }
    }

    /// Until when a request is refused, which may be in the past; nil if none is.
    package func refusedUntil(now: Timestamp) -> Timestamp? {
        let gap = gapEnd(now: now, afterRequests: requests).map { $0 - policy.longestJoin }
        return [schedule.retryAfter, gap].compactMap(\.self).max()
    }

    /// Whether a fetch is under way, or waits only for the gap to end.
    package var isLoading: Bool { fetching != nil || isPromised }

    /// When both the gap and the origin's Retry-After have ended, which may be in the past.
    private func allowedAt(now: Timestamp) -> Timestamp {
        max(gapEnd(now: now) ?? now, schedule.retryAfter ?? now)
    }

    /// The end of the gap after the last attempt, which is longer for a request after many of them.
    private func gapEnd(now: Timestamp, afterRequests count: Int = 0) -> Timestamp? {
        // On disk the end is rounded up to a second, so it may be in the future of a daemon that restarts at once.
        schedule.lastEndAt.map { min($0, now) + policy.gap(afterRequests: count) }
    }

    // MARK: Events

    /// The timer for ``next`` fired.
    /// - Parameter elapsed: whether the wait has passed on the monotonic clock. Then the attempt is due, whatever the wall clock shows.
    package mutating func timerFired(elapsed: Bool, now: Timestamp) -> Action {
        forgetImpossibleTimes(now: now)
        guard let due = next, fetching == nil, elapsed || now >= due.at else { return .none }
        let longest = policy.longestStartDelay(missed: schedule.missedDelays)
        if now - due.at > Self.punctuality, fetchedAt != nil, longest > .zero, !isPromised {
            if due.reason == .expiry { learnOffHours(due: due.at, now: now) }
            next = Appointment(at: now + random(upTo: longest), reason: .resume)
            schedule.drewDelay()
            return .none
        }
        if fetchedAt != nil { schedule.wasThere(at: due.reason) }
        return .fetch(begin(now: now))
    }

    /// A client asked for a refresh. If clients do so again and again and nothing new comes, the gap grows, to 5 minutes at most.
    package mutating func refreshRequested(now: Timestamp) -> RequestAction {
        forgetImpossibleTimes(now: now)
        guard hasOrigin else { return .refuse }
        guard !isLoading else { return .join }
        if let end = schedule.retryAfter, now < end { return .throttle(until: end) }
        if let end = gapEnd(now: now, afterRequests: requests), now < end {
            guard end - now <= policy.longestJoin else { return .throttle(until: end) }
            requests += 1
            next = Appointment(at: end, reason: .startup)
            isPromised = true
            return .join
        }
        requests = isQuiet(now: now) ? 1 : requests + 1
        return .fetch(begin(now: now))
    }

    /// Whether the requests before are long over.
    private func isQuiet(now: Timestamp) -> Bool {
        schedule.lastEndAt.map { now >= $0 + RefreshPolicy.longestRequestGap * 2 } ?? true
    }

    /// A response has shown something of the origin's clock.
    package mutating func originDated(_ clock: OriginClock?) {
        if let clock { schedule.clock = clock }
    }

    /// A fetch ended.
    /// - Returns: false if it had been cancelled; then nothing changes.
    package mutating func fetchEnded(_ id: FetchID, _ end: FetchEnd, now: Timestamp) -> Bool {
        guard fetching == id else { return false }
        fetching = nil
        isOffline = false
        attemptEnded(now: now)
        switch end {
        case .updated, .unchanged:
            if case .updated = end, fetchedAt != nil { requests = 0 }
            fetchedAt = now
            if schedule.off?.hours(around: now) != nil { schedule.off = nil }
            if case .updated = end { schedule.succeeded(.updated) } else { schedule.succeeded(.unchanged) }
        case .heldBack(let heldBack, let failure):
            schedule.succeeded(.heldBack)
            schedule.heldBack = heldBack
            schedule.lastError = failure
            let secondLook = heldBack.status.since + policy.secondLook
            // After it, what came was still the first reply, from a cache.
            schedule.notBefore =
                (now < secondLook ? secondLook : now + policy.secondLook) + random(upTo: policy.longestShortDelay)
        case .failed(let failure, let retryAfter, let isOffline, let isGone):
            self.isOffline = isOffline
            let doubt = schedule.gone == 1 && isGone ? schedule.notBefore.flatMap { $0 > now ? $0 : nil } : nil
            if !isOffline { schedule.countFailure(isGone: isGone, isEarly: doubt != nil) }
            schedule.notBefore = doubt ?? now + delayAfterFailure(now: now)
            schedule.retryAfter = retryAfter.map { now + min($0, RetryAfter.longest) }
            schedule.failed(failure)
        }
        plan(missed: .expiry, now: now)
        return true
    }

    /// The catalog was cleared on request. A fetch under way is cancelled, and the next begins as soon as gap and Retry-After allow.
    /// If that happens again and again, the gap grows.
    package mutating func cleared(now: Timestamp) {
        // A clear before the fetch of the last one has begun costs nothing.
        if !isPromised { clears = isQuiet(now: now) ? 1 : clears + 1 }
        cancelFetch(now: now)
        forgetImpossibleTimes(now: now)
        fetchedAt = nil
        planAsSoonAsAllowed(.startup, now: now)
        guard let planned = next, let end = gapEnd(now: now, afterRequests: clears), end > planned.at else { return }
        next = Appointment(at: end, reason: planned.reason)
    }

    /// A default route appeared, so the wait after a failure ends after one more quiet second. Any other plan stays.
    package mutating func networkAppeared(now: Timestamp) {
        forgetImpossibleTimes(now: now)
        guard !isLoading, isRetrying, schedule.gone == 0, let current = next else { return }
        let quiet = now + .milliseconds(1000 + Int64.random(in: 0...1000, using: &generator))
        let limit = current.reason == .network ? schedule.notBefore ?? quiet : current.at
        next = Appointment(at: min(quiet, limit), reason: .network)
        waitUntilAllowed(now: now)
    }

    /// The wall clock was set forward, or back by a negative duration, and later events have times by the clock as it is set now.
    ///
    /// What is held becomes no younger by that, no wait becomes longer, and the gap stays as long as it is.
    package mutating func clockSet(by step: Duration, now: Timestamp) {
        fetched?.clockSet(by: step)
        appointment?.time.clockSet(by: step)
        schedule.clockSet(by: step)
        // An attempt that is overdue stays overdue, so that it is spread.
        if allowedAt(now: now) > now { waitUntilAllowed(now: now) }
    }

    /// Another configuration with the same origin is in force.
    package mutating func configured(_ policy: RefreshPolicy, fetchedAt: Timestamp?, now: Timestamp) {
        self.policy = policy
        requests = 0
        // Or steps of the clock before and after many reloads would add up.
        if self.fetchedAt != fetchedAt { self.fetchedAt = fetchedAt }
        guard fetching == nil else { return }
        // A reload during a backoff probably follows a fix.
        let isAtOnce = isPromised || isRetrying
        forgetImpossibleTimes(now: now)
        if isAtOnce { return planAsSoonAsAllowed(.startup, now: now) }
        let before = next
        plan(missed: .startup, now: now)
        // Or each of many reloads would draw another time, and together they would put it off for ever.
        if let before, let drawn = next, drawn.reason == .startup, before.at < drawn.at { next = before }
    }

    /// Another configuration with another origin, or with none, is in force. A fetch under way is cancelled.
    /// - Parameters:
    ///   - schedule: the schedule of the new origin; nil if there is no origin.
    ///   - fetchedAt: when the catalog that is held was fetched from the new origin; nil if none is held.
    package mutating func originChanged(
        _ policy: RefreshPolicy, schedule: RefreshSchedule?, fetchedAt: Timestamp?, now: Timestamp
    ) {
        cancelFetch(now: now)
        self.policy = policy
        self.hasOrigin = schedule != nil
        self.schedule = schedule ?? RefreshSchedule()
        self.fetchedAt = fetchedAt
        isOffline = false
        requests = 0
        drawPhase()
        forgetImpossibleTimes(now: now)
        plan(missed: .startup, now: now)
    }

    /// The daemon stops. A fetch under way is cancelled.
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
        schedule.isUnderWay = true
        return id
    }

    private mutating func attemptEnded(now: Timestamp) {
        schedule.isUnderWay = false
        schedule.lastEndAt = now
    }

    private mutating func cancelFetch(now: Timestamp) {
        isPromised = false
        guard fetching != nil else { return }
        fetching = nil
        attemptEnded(now: now)
    }

    /// Plans the next attempt.
    /// - Parameter reason: the reason if a refresh was due before now.
    private mutating func plan(missed reason: Reason, now: Timestamp) {
        isPromised = false
        guard hasOrigin else {
            next = nil
            return
        }
        let earliest = max(schedule.notBefore ?? now, schedule.retryAfter ?? now)
        if isOffline {
            // A route ends this wait, so the attempt at its end is only for networks that have no default route.
            let wait = policy.backoff.cap / 2 + random(upTo: policy.backoff.cap / 2)
            next = Appointment(at: max(now + wait, earliest), reason: .offline)
        } else if earliest > now {
            let isRetryAfter = earliest == schedule.retryAfter
            // Those who found nothing did so at different times.
            let longest =
                schedule.gone > 0 && !isRetryAfter
                ? .zero
                : policy.longestRetryDelay(
                    failures: schedule.attempt, isRetryAfter: isRetryAfter, hasCatalog: fetchedAt != nil)
            next = Appointment(at: earliest + random(upTo: longest), reason: isRetryAfter ? .retryAfter : .retry)
        } else if let fetchedAt {
            let due = policy.dueAt(fetchedAt: fetchedAt, phase: schedule.phase, off: schedule.off)
            let isMissed = due <= now || !RefreshPolicy.isBelievable(fetchedAt: fetchedAt, now: now)
            next = Appointment(
                at: isMissed ? now + random(upTo: policy.longestStartDelay(missed: schedule.missedDelays)) : due,
                reason: isMissed ? reason : .expiry)
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

    /// Postpones the next attempt until both the gap and the Retry-After have ended.
    private mutating func waitUntilAllowed(now: Timestamp) {
        guard let planned = next else { return }
        let allowedAt = allowedAt(now: now)
        guard allowedAt >= planned.at else { return }
        next = Appointment(at: allowedAt, reason: allowedAt == schedule.retryAfter ? .retryAfter : planned.reason)
    }

    /// Whether the next attempt follows a failure, but not one with a Retry-After that has not ended.
    private var isRetrying: Bool {
        switch next?.reason {
        case .retry, .offline, .network: true
        case .startup, .expiry, .retryAfter, .resume, .some(.none), nil: false
        }
    }

    /// Draws the daemon's phase if it has none yet.
    private mutating func drawPhase() {
        if schedule.phase == nil { schedule.phase = RefreshPhase.random(using: &generator) }
    }

    /// Counts an attempt that has no end as a failure: its process crashed, perhaps because of what it fetched, and without a backoff
    /// a loop of crashes would hammer the origin.
    private mutating func countAttemptWithoutEnd(now: Timestamp) {
        guard schedule.isUnderWay else { return }
        attemptEnded(now: now)
        schedule.countFailure()
        schedule.notBefore = now + policy.backoff.delay(failures: schedule.attempt, using: &generator)
        schedule.failed(
            Failure(
                .interrupted,
                "promod ended during its last fetch: it crashed, was killed, perhaps for want of memory, or lost its power."
            ))
    }

    /// How long to wait after the failure that was just counted.
    private mutating func delayAfterFailure(now: Timestamp) -> Duration {
        if schedule.isGone { return policy.interval }
        guard schedule.gone > 0 else { return policy.backoff.delay(failures: schedule.attempt, using: &generator) }
        let range = policy.delayAfterFirstGone(fetchedAt: fetchedAt, now: now)
        return range.lowerBound + random(upTo: range.upperBound - range.lowerBound)
    }

    /// A refresh was due while the machine was off or asleep.
    private mutating func learnOffHours(due: Timestamp, now: Timestamp) {
        // An attempt after that time shows that the machine was on. Its time is stored in whole seconds.
        guard due < now, schedule.lastAttemptAt.map({ $0 + .seconds(1) < due }) ?? true else { return }
        schedule.off = OffHours(schedule.off, missed: due, now: now)
    }

    private mutating func random(upTo longest: Duration) -> Duration {
        .milliseconds(Int64.random(in: 0...max(longest.milliseconds, 0), using: &generator))
    }

    /// Drops times that are further in the future than any wait can be, since they were stored while the clock was ahead.
    private mutating func forgetImpossibleTimes(now: Timestamp) {
        var ceiling =
            schedule.heldBack == nil
            ? policy.backoff.ceiling(failures: schedule.attempt) : policy.secondLook + policy.longestShortDelay
        if schedule.gone > 0 { ceiling = max(ceiling, policy.longestDelayAfterGone(answers: schedule.gone)) }
        if let time = schedule.notBefore, time > now + ceiling + .seconds(1) { schedule.notBefore = nil }
        if let time = schedule.retryAfter, time > now + RetryAfter.longest + .seconds(1) {
            schedule.retryAfter = nil
        }
        if let time = schedule.lastEndAt, time > now + .seconds(1) { schedule.lastEndAt = nil }
        if let time = schedule.heldBack?.status.since, time > now + .seconds(1) { schedule.heldBack = nil }
        // Where nothing is served, nothing can be held back for its sake.
        if schedule.heldBack != nil, fetchedAt == nil {
            if schedule.lastOutcome == .heldBack { (schedule.notBefore, schedule.lastError) = (nil, nil) }
            schedule.heldBack = nil
        }
    }
}

extension RefreshMachine: Sendable where Generator: Sendable {}
