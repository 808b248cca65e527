import PromoWire

extension RefreshMachine {
    /// When both the gap and the origin's Retry-After end, which may be in the past.
    func allowedAt(now: Timestamp) -> Timestamp {
        max(gapEnd(now: now) ?? now, schedule.retryAfter ?? now)
    }

    /// The end of the gap after the last attempt, which grows with the number of requests in a row.
    func gapEnd(now: Timestamp, afterRequests count: Int = 0) -> Timestamp? {
        // On disk the end is rounded up to a second, so it may be in the future of a daemon that restarts at once.
        schedule.lastEndAt.map { min($0, now) + policy.gap(afterRequests: count) }
    }

    mutating func begin(now: Timestamp) -> FetchID {
        lastFetch += 1
        let id = FetchID(number: lastFetch)
        state = .fetching(id)
        schedule.lastAttemptAt = now
        schedule.isUnderWay = true
        return id
    }

    mutating func cancelFetch(now: Timestamp) {
        if fetching != nil { schedule.attemptEnded(now: now) }
        state = .idle
    }

    /// Plans the next attempt.
    /// - Parameters:
    ///   - reason: the reason if a refresh was due before now.
    ///   - isOffline: whether the last attempt failed because there was no network.
    mutating func plan(missed reason: Reason, isOffline: Bool = false, now: Timestamp) {
        state = .idle
        guard hasOrigin else { return }
        let earliest = max(schedule.notBefore ?? now, schedule.retryAfter ?? now)
        if isOffline {
            // A new route ends this wait, so the attempt at its end is only for networks without a default route.
            let wait = policy.backoff.cap / 2 + random(upTo: policy.backoff.cap / 2)
            state = .planned(ClockedTime(max(now + wait, earliest)), .offline)
        } else if earliest > now {
            let isRetryAfter = earliest == schedule.retryAfter
            // Daemons that received a 404 or 410 did so at different times.
            let longest =
                schedule.gone > 0 && !isRetryAfter
                ? .zero
                : policy.longestRetryDelay(
                    failures: schedule.attempt, isRetryAfter: isRetryAfter, hasCatalog: fetchedAt != nil)
            state = .planned(ClockedTime(earliest + random(upTo: longest)), isRetryAfter ? .retryAfter : .retry)
        } else if let fetchedAt {
            let due = policy.dueAt(fetchedAt: fetchedAt, phase: schedule.phase, off: schedule.off)
            let isMissed = due <= now || !fetchedAt.isBelievable(now: now)
            let delay = isMissed ? random(upTo: policy.longestStartDelay(missed: schedule.missedDelays)) : .zero
            state = .planned(ClockedTime(isMissed ? now + delay : due), isMissed ? reason : .expiry)
        } else {
            return planAsSoonAsAllowed(.startup, now: now)
        }
        waitUntilAllowed(now: now)
    }

    mutating func planAsSoonAsAllowed(_ reason: Reason, now: Timestamp) {
        guard hasOrigin else { return }
        state = .planned(ClockedTime(now), reason, isPromised: now >= schedule.retryAfter ?? now)
        waitUntilAllowed(now: now)
    }

    /// Postpones the next attempt until both the gap and the Retry-After have ended.
    mutating func waitUntilAllowed(now: Timestamp) {
        guard let planned = next else { return }
        let allowedAt = allowedAt(now: now)
        guard allowedAt >= planned.at else { return }
        postpone(until: allowedAt, allowedAt == schedule.retryAfter ? .retryAfter : planned.reason)
    }

    /// Moves the next attempt, which stays promised if it is.
    mutating func postpone(until time: Timestamp, _ reason: Reason) {
        state = .planned(ClockedTime(time), reason, isPromised: isPromised)
    }

    /// Whether the next attempt follows a failure, but not one with a Retry-After that has not ended.
    var isRetrying: Bool {
        switch next?.reason {
        case .retry, .offline, .network: true
        case .startup, .expiry, .retryAfter, .resume, .some(.none), nil: false
        }
    }

    mutating func drawPhase() {
        if schedule.phase == nil { schedule.phase = RefreshPhase.random(using: &generator) }
    }

    /// Counts an attempt during which the process ended as a failure, so that a loop of crashes does not hammer the origin.
    mutating func countInterruptedAttempt(now: Timestamp) {
        guard schedule.isUnderWay else { return }
        schedule.attemptEnded(now: now)
        schedule.countFailure()
        schedule.notBefore = now + policy.backoff.delay(failures: schedule.attempt, using: &generator)
        schedule.failed(
            Failure(
                .interrupted,
                "promod ended during its last fetch: it crashed, was killed (perhaps for lack of memory), or lost power."
            ))
    }

    mutating func delayAfterFailure(now: Timestamp) -> Duration {
        if schedule.isGone { return policy.interval }
        guard schedule.gone > 0 else { return policy.backoff.delay(failures: schedule.attempt, using: &generator) }
        let range = policy.delayAfterFirstGone(fetchedAt: fetchedAt, now: now)
        return range.lowerBound + random(upTo: range.upperBound - range.lowerBound)
    }

    mutating func random(upTo longest: Duration) -> Duration {
        .milliseconds(Int64.random(in: 0...max(longest.milliseconds, 0), using: &generator))
    }

    /// Drops times that are further in the future than any wait can be, because they were stored while the clock was ahead.
    mutating func forgetImpossibleTimes(now: Timestamp) {
        var ceiling =
            schedule.heldBack == nil
            ? policy.backoff.ceiling(failures: schedule.attempt) : policy.secondLook + policy.longestShortDelay
        if schedule.gone > 0 { ceiling = max(ceiling, policy.longestDelayAfterGone(answers: schedule.gone)) }
        schedule.forgetTimes(after: now, longestWait: ceiling)
        // Without a served catalog, none is held back.
        if fetchedAt == nil { schedule.forgetHeldBack() }
    }
}
