package import PromoWire

/// If a timer fires later than this, the machine was suspended or the clock was set.
private let punctuality = Duration.seconds(60)

extension RefreshMachine {
    /// The timer for ``next`` fired.
    /// - Parameter elapsed: whether the wait has passed on the monotonic clock; then the attempt is due, whatever the wall clock shows.
    /// - Returns: the fetch that begins; nil if none does.
    package mutating func timerFired(elapsed: Bool, now: Timestamp) -> FetchID? {
        forgetImpossibleTimes(now: now)
        guard let due = next, elapsed || now >= due.at else { return nil }
        let longest = policy.longestStartDelay(missed: schedule.missedDelays)
        if now - due.at > punctuality, fetchedAt != nil, longest > .zero, !isPromised {
            if due.reason == .expiry { schedule.missed(due.at, now: now) }
            state = .planned(ClockedTime(now + random(upTo: longest)), .resume)
            schedule.countStartDelay()
            return nil
        }
        if fetchedAt != nil { schedule.wasOn(at: due.reason) }
        return begin(now: now)
    }

    /// A client requested a refresh. While requests in a row bring nothing new, the gap grows, to 5 minutes at most.
    package mutating func refreshRequested(now: Timestamp) -> RequestAction {
        forgetImpossibleTimes(now: now)
        guard hasOrigin else { return .refuse }
        guard !isLoading else { return .join }
        if let end = schedule.retryAfter, now < end { return .throttle(until: end) }
        if let end = gapEnd(now: now, afterRequests: requests), now < end {
            guard end - now <= policy.longestJoin else { return .throttle(until: end) }
            requests += 1
            state = .planned(ClockedTime(end), .startup, isPromised: true)
            return .join
        }
        requests = isQuiet(now: now) ? 1 : requests + 1
        return .fetch(begin(now: now))
    }

    /// Whether the last attempt ended long ago.
    private func isQuiet(now: Timestamp) -> Bool {
        schedule.lastEndAt.map { now >= $0 + RefreshPolicy.longestRequestGap * 2 } ?? true
    }

    /// A response has shown the difference between the clocks.
    package mutating func originDated(_ clock: OriginClock?) {
        if let clock { schedule.clock = clock }
    }

    /// A fetch ended.
    /// - Returns: false if it had been cancelled; then nothing changes.
    package mutating func fetchEnded(_ id: FetchID, _ end: FetchEnd, now: Timestamp) -> Bool {
        guard fetching == id else { return false }
        schedule.attemptEnded(now: now)
        var isOffline = false
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
            // A reply that is held back after the second look is still the first one, from a cache.
            schedule.notBefore =
                (now < secondLook ? secondLook : now + policy.secondLook) + random(upTo: policy.longestShortDelay)
        case .failed(let failure, let retryAfter, let hasNoNetwork, let isGone):
            isOffline = hasNoNetwork
            let doubt = schedule.gone == 1 && isGone ? schedule.notBefore.flatMap { $0 > now ? $0 : nil } : nil
            if !isOffline { schedule.countFailure(isGone: isGone, isEarly: doubt != nil) }
            schedule.notBefore = doubt ?? now + delayAfterFailure(now: now)
            schedule.retryAfter = retryAfter.map { now + min($0, RetryAfter.longest) }
            schedule.failed(failure)
        }
        plan(missed: .expiry, isOffline: isOffline, now: now)
        return true
    }

    /// A client cleared the catalog. A fetch under way is cancelled, and the next begins as soon as gap and Retry-After allow. The gap
    /// grows with the number of clears in a row.
    package mutating func cleared(now: Timestamp) {
        // A clear before the fetch of the previous one has begun costs the origin nothing.
        if !isPromised { clears = isQuiet(now: now) ? 1 : clears + 1 }
        cancelFetch(now: now)
        forgetImpossibleTimes(now: now)
        fetchedAt = nil
        planAsSoonAsAllowed(.startup, now: now)
        guard let planned = next, let end = gapEnd(now: now, afterRequests: clears), end > planned.at else { return }
        postpone(until: end, planned.reason)
    }

    /// A default route appeared, so a wait after a failure ends in one to two seconds. Any other plan stays.
    package mutating func networkAppeared(now: Timestamp) {
        forgetImpossibleTimes(now: now)
        guard isRetrying, schedule.gone == 0, let current = next else { return }
        let quiet = now + .milliseconds(1000 + Int64.random(in: 0...1000, using: &generator))
        let limit = current.reason == .network ? schedule.notBefore ?? quiet : current.at
        state = .planned(ClockedTime(min(quiet, limit)), .network)
        waitUntilAllowed(now: now)
    }

    /// Another configuration with the same origin is in force.
    package mutating func configured(_ policy: RefreshPolicy, fetchedAt: Timestamp?, now: Timestamp) {
        self.policy = policy
        requests = 0
        // Assigned at each of many reloads, the same time would add up the clock steps before and after them.
        if self.fetchedAt != fetchedAt { self.fetchedAt = fetchedAt }
        guard fetching == nil else { return }
        // A reload during a backoff probably follows a fix.
        let isAtOnce = isPromised || isRetrying
        forgetImpossibleTimes(now: now)
        if isAtOnce { return planAsSoonAsAllowed(.startup, now: now) }
        let before = next
        plan(missed: .startup, now: now)
        // Otherwise each of many reloads would draw another time, and together they would postpone the refresh for ever.
        if let before, let drawn = next, drawn.reason == .startup, before.at < drawn.at {
            state = .planned(ClockedTime(before.at), before.reason)
        }
    }

    /// Another configuration with another origin, or with none, is in force. A fetch under way is cancelled.
    /// - Parameters:
    ///   - schedule: the schedule of the new origin; nil if there is no origin.
    ///   - fetchedAt: when the cached catalog was fetched from the new origin; nil if there is none.
    package mutating func originChanged(
        _ policy: RefreshPolicy, schedule: RefreshSchedule?, fetchedAt: Timestamp?, now: Timestamp
    ) {
        self.policy = policy
        self.hasOrigin = schedule != nil
        self.schedule = schedule ?? RefreshSchedule()
        self.fetchedAt = fetchedAt
        requests = 0
        drawPhase()
        forgetImpossibleTimes(now: now)
        plan(missed: .startup, now: now)
    }

    /// The daemon stops. A fetch under way is cancelled.
    package mutating func stopped(now: Timestamp) {
        cancelFetch(now: now)
    }
}
