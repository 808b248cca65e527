package import PromoWire

/// Decides when to ask the origin for one catalog. It reads no clock: each event comes with its time.
///
/// After each event the caller sets a timer for ``next``, and stores the ``record`` if it has changed.
package struct RefreshSchedule: Sendable {
    /// The time and the reason of the next attempt.
    package struct Appointment: Equatable, Sendable {
        package var at: Timestamp
        package var reason: CatalogStatus.Reason
    }

    /// A fetch that begins.
    package struct Fetch: Equatable, Sendable {
        /// Whether the request may ask only for a catalog that has changed.
        package var isConditional: Bool
    }

    /// The outcome of a request to refresh.
    package enum RequestAction: Equatable, Sendable {
        /// There is no origin.
        case refuse
        /// The request waits for the fetch that is under way, or begins within a second.
        case join
        /// The last attempt was so recent that the origin may be asked only from this time on.
        case deferred(until: Timestamp)
        case fetch(Fetch)
    }

    /// What is served.
    package enum Held: Equatable, Sendable {
        case nothing
        /// A catalog that was never fetched, because it came with a package.
        case bundled
        /// A catalog that arrived, or was confirmed, at a time.
        case fetched(Timestamp)
    }

    /// How late a timer may fire; a later one was held up by a suspend or a step of the clock.
    private static let punctuality = Duration.seconds(10)
    /// The random delay of what is due at a start, after a suspend or a step, because many machines start together.
    private static let startDelay = Duration.seconds(30)
    /// The shortest time between two attempts, and the one before an attempt that no person asked for.
    private static let (gap, longGap) = (Duration.seconds(1), Duration.seconds(60))
    /// How often an appearing route, and a second refresh within a minute, count.
    private static let seldom = Duration.seconds(600)
    /// How long replies to conditions are believed: an origin may answer 304 for ever.
    private static let week = Duration.seconds(7 * 86_400)
    /// How exactly it is kept when a client was answered, so that few answers are written to disk.
    private static let day = Duration.seconds(86_400)

    package private(set) var policy: RefreshPolicy
    /// Whether there is an origin to ask.
    package private(set) var hasOrigin: Bool
    package private(set) var held: Held
    package private(set) var isFetching = false
    /// Whether it is fetched only when a client is answered from it.
    package private(set) var isResting = false
    /// The next attempt; nil while a fetch is under way, and without an origin.
    package private(set) var next: Appointment?
    package private(set) var record: Record
    private var lastEndAt: Timestamp?, requestedAt: Timestamp?, forcedAt: Timestamp?, routeAt: Timestamp?
    /// The part of the interval after which the catalog is fetched again, drawn at each start and after each success: a fleet spreads, and
    /// no image or clone carries a time with it.
    private var share: Double
    /// How much later a pause of the last process ends, for the same reason.
    private var spread: Duration
    private let random: @Sendable (ClosedRange<Double>) -> Double

    /// Creates the schedule at a start of the daemon.
    /// - Parameters:
    ///   - record: what the schedule of the last process has stored; an attempt in it without an end counts as a failure.
    ///   - random: draws a number from a range.
    package init(
        _ record: Record = Record(), policy: RefreshPolicy, hasOrigin: Bool, held: Held, now: Timestamp,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) {
        (self.record, self.policy, self.hasOrigin, self.held, self.random) = (record, policy, hasOrigin, held, random)
        (share, spread) = (random(0.9...1), Self.startDelay * random(0...1))
        lastEndAt = record.lastAttemptAt
        if record.isUnderWay { fail(Self.interrupted, status: nil, retryAfter: nil, now: now) }
        plan(now: now)
    }

    private static let interrupted = Failure(
        .interrupted,
        "promod ended during its last fetch: it crashed, was killed (perhaps for lack of memory), or power was lost.")

    // MARK: What begins a fetch

    /// The timer for ``next`` fired.
    /// - Returns: the fetch that begins; nil if none does.
    package mutating func timerFired(now: Timestamp) -> Fetch? {
        guard let due = next, now >= due.at else { return nil }
        if held != .nothing, due.reason != .startup, now - due.at > Self.punctuality {
            planSoon(now: now)
            return nil
        }
        return begin(now: now)
    }

    /// Whether a client that is answered from an expired catalog, or without one, causes a fetch.
    package func mayBegin(now: Timestamp) -> Bool {
        hasOrigin && !isFetching && isExpired(now: now) && !isAhead(record.retryAfter, now)
            && !isRecent(lastEndAt, Self.longGap, now) && !isRecent(record.lastAttemptAt, Self.gap, now)
    }

    /// Whether a fetch is under way or begins within a second, as after a clear, so that a client may wait for it.
    package func isFetchNear(now: Timestamp) -> Bool {
        // A client that asks ends a rest.
        let begins =
            isResting ? mayBegin(now: now) : next.map { $0.reason == .startup && $0.at <= now + Self.gap } ?? false
        return isFetching || held == .nothing && begins
    }

    /// A client was answered; a fetch may begin. If the last failure is too recent for one, the pause after it ends with its minute.
    package mutating func answered(now: Timestamp) -> Fetch? {
        if mayBegin(now: now) { return begin(now: now) }
        if isExpired(now: now), let pause = record.notBefore, let end = lastEndAt.map({ $0 + Self.longGap }), now < end,
            end < pause
        {
            record.notBefore = end
            plan(now: now)
        }
        return nil
    }

    /// A client requested a refresh, which overrides a pause, and a Retry-After once a minute.
    package mutating func refreshRequested(now: Timestamp) -> RequestAction {
        guard hasOrigin else { return .refuse }
        guard !isFetching else { return .join }
        let gap = isAhead(record.retryAfter, now) ? Self.longGap : Self.gap
        if isRecent(record.lastAttemptAt, gap, now) {
            if isFetchNear(now: now) { return .join }
            if record.lastOutcome != nil, let last = record.lastAttemptAt {
                // The end of a short Retry-After comes before that of the minute.
                return .deferred(until: max(last + Self.gap, min(last + gap, record.retryAfter ?? last + gap)))
            }
        }
        let isForced = isRecent(requestedAt, Self.longGap, now) && !isRecent(forcedAt, Self.seldom, now)
        requestedAt = now
        if isForced { forcedAt = now }
        return .fetch(begin(isForced: isForced, now: now))
    }

    private mutating func begin(isForced: Bool = false, now: Timestamp) -> Fetch {
        let fetch = Fetch(isConditional: !isForced && isRecent(record.wholeAt, Self.week, now))
        (isFetching, next) = (true, nil)
        (record.lastAttemptAt, record.isUnderWay) = (now, true)
        return fetch
    }

    // MARK: What ends one

    /// A fetch brought a good catalog.
    /// - Parameters:
    ///   - isWhole: whether the origin sent the catalog, rather than that it has not changed.
    ///   - movedTo: where the address has moved for good.
    ///   - arrival: when the reply arrived; nil for now.
    package mutating func succeeded(
        _ outcome: RefreshResult.Outcome, isWhole: Bool, movedTo: String? = nil, arrival: Timestamp? = nil,
        now: Timestamp
    ) {
        (record.failures, record.notBefore, record.retryAfter, record.lastError) = (0, nil, nil, nil)
        (record.lastOutcome, record.movedTo) = (outcome, movedTo)
        if isWhole { record.wholeAt = now }
        held = .fetched(arrival ?? now)
        share = random(0.9...1)
        end(now: now)
    }

    /// A fetch failed, perhaps with a response's status and the delay for which the origin asked.
    package mutating func failed(_ failure: Failure, status: Int?, retryAfter: Duration?, now: Timestamp) {
        fail(failure, status: status, retryAfter: retryAfter, now: now)
        end(now: now)
    }

    private mutating func fail(_ failure: Failure, status: Int?, retryAfter: Duration?, now: Timestamp) {
        record.failures = min(record.failures + 1, Record.maximumFailures)
        (record.isUnderWay, spread) = (false, .zero)
        record.notBefore = now + policy.longestPause(failures: record.failures) * random(0.5...1)
        record.retryAfter = retryAfter.map { delay in
            // Never before, and a little later, because the origin told others the same time.
            let delay = min(delay, RetryAfter.longest)
            return now + delay + min(delay / 10, Self.startDelay) * random(0...1)
        }
        (record.lastOutcome, record.lastError) = (.failed, failure)
        // The origin may refuse conditions, so none is made until it has sent the whole catalog.
        if let status, (400..<500).contains(status), status != 408, status != 429 { record.wholeAt = nil }
    }

    private mutating func end(now: Timestamp) {
        (isFetching, record.isUnderWay, lastEndAt) = (false, false, now)
        plan(now: now)
    }

    /// A fetch under way was cancelled, and does not count.
    package mutating func cancelled(now: Timestamp) {
        (isFetching, record.isUnderWay) = (false, false)
        plan(now: now)
    }

    // MARK: Other events

    /// Another catalog is served, or none, for another reason than a fetch. A fetch under way goes on.
    package mutating func serves(_ held: Held, now: Timestamp) {
        self.held = held
        plan(now: now)
    }

    /// Other settings are in force. A fetch under way goes on.
    package mutating func configured(_ policy: RefreshPolicy, hasOrigin: Bool, now: Timestamp) {
        (self.policy, self.hasOrigin) = (policy, hasOrigin)
        plan(now: now)
    }

    /// The next request is another one, so that the failures of the last say nothing about it. A Retry-After stays.
    package mutating func requestChanged(now: Timestamp) {
        (record.failures, record.notBefore, record.lastOutcome, record.lastError) = (0, nil, nil, nil)
        plan(now: now)
    }

    /// A client was answered, so that it need not rest.
    package mutating func asked(now: Timestamp) {
        if !isRecent(record.askedAt, Self.day, now) { record.askedAt = now }
    }

    /// It rests, or rests no more.
    package mutating func rest(_ isResting: Bool, now: Timestamp) {
        self.isResting = isResting
        plan(now: now)
    }

    /// The clock was set, or the machine was suspended.
    package mutating func clockSet(now: Timestamp) { plan(now: now) }

    /// A default route appeared where there was none, at most once in ten minutes: the failures before it were of another network, so a
    /// pause after one ends within two seconds, and the next pause is that after a first failure.
    package mutating func routeAppeared(now: Timestamp) {
        guard isFetching || next?.reason == .retry, !isRecent(routeAt, Self.seldom, now) else { return }
        (routeAt, spread, record.failures) = (now, .zero, 0)
        // The name servers may come a moment after the route.
        let soon = now + .seconds(1) * random(1...2)
        record.notBefore = min(record.notBefore ?? soon, soon)
        plan(now: now)
    }

    // MARK: Plans

    /// Whether what is served has expired, or nothing is.
    package func isExpired(now: Timestamp) -> Bool {
        guard case .fetched(let time) = held, time.isBelievable(now: now) else { return true }
        return now >= time + policy.interval
    }

    private mutating func plan(now: Timestamp) {
        forgetImpossibleTimes(now: now)
        guard hasOrigin, !isFetching, !isResting else { return next = nil }
        let pause = [record.notBefore, record.retryAfter].compactMap(\.self).max()
        if let pause, pause > now {
            next = Appointment(at: pause + spread, reason: pause == record.retryAfter ? .retryAfter : .retry)
        } else if held == .nothing {
            let earliest = record.lastAttemptAt.flatMap { isRecent($0, Self.gap, now) ? $0 + Self.gap : nil }
            next = Appointment(at: earliest ?? now, reason: .startup)
        } else if record.failures == 0, case .fetched(let time) = held, time.isBelievable(now: now),
            time + policy.interval * share > now
        {
            next = Appointment(at: time + policy.interval * share, reason: .expiry)
        } else {
            planSoon(now: now)
        }
    }

    /// Plans what is due. A delay that was drawn before stays, so that many events do not postpone it.
    private mutating func planSoon(now: Timestamp) {
        if let next, next.reason == .startup, (now...now + Self.startDelay).contains(next.at) { return }
        next = Appointment(at: now + Self.startDelay * random(0...1), reason: .startup)
    }

    /// Drops waits that are longer than the rules can set, because they were stored while the clock was ahead.
    private mutating func forgetImpossibleTimes(now: Timestamp) {
        // A stored time is rounded up to a second.
        let second = Duration.seconds(1)
        let longest = policy.longestPause(failures: record.failures) + second
        if let time = record.notBefore, time > now + longest { record.notBefore = nil }
        let longestAsked = RetryAfter.longest + Self.startDelay + second
        if let time = record.retryAfter, time > now + longestAsked { record.retryAfter = nil }
    }

    private func isAhead(_ time: Timestamp?, _ now: Timestamp) -> Bool { time.map { $0 > now } ?? false }

    /// Whether a time is past, but not for long; one in the future was recorded while the clock was ahead.
    private func isRecent(_ time: Timestamp?, _ duration: Duration, _ now: Timestamp) -> Bool {
        time.map { $0 <= now && now - $0 < duration } ?? false
    }
}
