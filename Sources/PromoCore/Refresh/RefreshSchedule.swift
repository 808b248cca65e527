package import PromoWire

/// The refresh machine's state on disk, so that a restart neither shortens a backoff nor hammers the origin.
package struct RefreshSchedule: Equatable, Sendable {
    /// The normalised URL of the origin.
    package var url: String?
    /// When the daemon refreshes within the spread, drawn once.
    package var phase: RefreshPhase?
    /// The hours of the day in which the machine is usually off.
    package var off: OffHours?
    /// The number of start delays in a row for which the machine did not stay on.
    package var missedDelays = 0
    /// The difference between the clocks, as an earlier response has shown it.
    package var clock: OriginClock?
    /// The number of failures in a row.
    package var attempt = 0
    /// The number of responses in a row with 404 or 410.
    package internal(set) var gone = 0
    /// The end of the backoff, which a manual refresh ignores.
    @Clocked package var notBefore: Timestamp?
    /// The end of the origin's Retry-After, before which nothing is fetched.
    @Clocked package var retryAfter: Timestamp?
    /// When the last attempt began.
    package var lastAttemptAt: Timestamp?
    /// When the last attempt ended.
    package var lastEndAt: Timestamp?
    /// Whether an attempt is under way; at a start, whether the last process ended during one.
    package var isUnderWay = false
    /// The catalog that is held back.
    package var heldBack: HeldBack?
    /// How the last attempt ended.
    package var lastOutcome: RefreshResult.Outcome?
    /// Why the last attempt failed.
    package var lastError: Failure?

    /// Creates the schedule of an origin from which nothing was ever fetched.
    package init() {}

    /// The maximum of ``missedDelays``, at which there is no delay.
    static let maximumMissedDelays = 4

    /// The maximum of ``attempt``, in the file too; no backoff depends on a higher number.
    static let maximumAttempt = 1_000_000_000

    /// The maximum difference between two clocks, in seconds: some 3000 years.
    static let maximumClockAhead: UInt = 100_000_000_000

    /// The number of responses after which an address counts as gone. The first may be a mistake that the publisher soon repairs.
    private static let goneAnswers = 2

    /// Counts another failure in a row.
    /// - Parameter isEarly: whether the response came while the first 404 or 410 is doubted, so that it proves nothing new.
    mutating func countFailure(isGone: Bool = false, isEarly: Bool = false) {
        attempt = min(attempt + 1, Self.maximumAttempt)
        guard isGone else { return gone = 0 }
        if !isEarly { gone = min(gone + 1, Self.maximumAttempt) }
    }

    /// A start delay begins, which counts as missed until the machine is on at its end.
    mutating func countStartDelay() {
        missedDelays = min(missedDelays + 1, Self.maximumMissedDelays)
    }

    /// The machine was on when an attempt was due. If delays were missed before, it is probably on for short times only, so the next delay
    /// stays short; a refresh at its planned time shows the opposite.
    mutating func wasOn(at reason: RefreshStatus.Reason) {
        switch reason {
        case .startup, .resume: missedDelays = missedDelays > 2 ? missedDelays - 2 : max(missedDelays - 1, 0)
        case .expiry: missedDelays = max(missedDelays - 1, 0)
        case .retry, .retryAfter, .offline, .network, .none: break
        }
    }

    /// Whether the other schedule knows of a later attempt.
    package func isOlder(than other: RefreshSchedule) -> Bool {
        guard let time = other.lastAttemptAt else { return false }
        return lastAttemptAt.map { $0 < time } ?? true
    }

    /// Whether the catalog seems to be gone from its address.
    package var isGone: Bool { gone >= Self.goneAnswers }
}

extension RefreshSchedule {
    /// Records a success, and forgets earlier failures.
    mutating func succeeded(_ outcome: RefreshResult.Outcome) {
        attempt = 0
        gone = 0
        notBefore = nil
        retryAfter = nil
        lastError = nil
        heldBack = nil
        lastOutcome = outcome
    }

    /// Records why an attempt failed. A bad signature stays the reason until a good catalog comes, so that no later failure hides that an
    /// origin delivers old catalogs.
    mutating func failed(_ failure: Failure) {
        lastOutcome = .failed
        let failure =
            isGone
            ? Failure(
                failure.code, failure.message + " The address seems to be gone, and is asked once per refresh.interval."
            )
            : failure
        guard let refused = lastError, refused.code == .signature, failure.code != .signature else {
            return lastError = failure
        }
        lastError = refused.followed(by: failure)
    }

    /// The wall clock was set forward, or back by a negative duration. No wait becomes longer.
    mutating func clockSet(by step: Duration) {
        _notBefore.clockSet(by: step)
        _retryAfter.clockSet(by: step)
        lastAttemptAt = lastAttemptAt.map { $0 + step }
        lastEndAt = lastEndAt.map { $0 + step }
        heldBack?.clockSet(by: step)
        off?.clockSet(by: step)
        clock = nil
    }

    mutating func attemptEnded(now: Timestamp) {
        isUnderWay = false
        lastEndAt = now
    }

    /// A refresh was due at a time while the machine was off or asleep.
    mutating func missed(_ due: Timestamp, now: Timestamp) {
        // An attempt after that time shows that the machine was on. Its time is stored in whole seconds.
        guard due < now, lastAttemptAt.map({ $0 + .seconds(1) < due }) ?? true else { return }
        off = OffHours(off, missed: due, now: now)
    }

    /// Drops times that are further in the future than any wait can be.
    mutating func forgetTimes(after now: Timestamp, longestWait: Duration) {
        let tolerance = Duration.seconds(1)
        if let time = notBefore, time > now + longestWait + tolerance { notBefore = nil }
        if let time = retryAfter, time > now + RetryAfter.longest + tolerance { retryAfter = nil }
        if let time = lastEndAt, time > now + tolerance { lastEndAt = nil }
        if let time = heldBack?.status.since, time > now + tolerance { heldBack = nil }
    }

    mutating func forgetHeldBack() {
        guard heldBack != nil else { return }
        if lastOutcome == .heldBack { (notBefore, lastError) = (nil, nil) }
        heldBack = nil
    }
}
