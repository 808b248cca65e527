package import PromoWire

/// The part of the refresh machine's state that is on disk, so that a restart neither forgets a backoff nor hammers the origin.
package struct RefreshSchedule: Equatable, Sendable {
    /// The normalised URL of the origin.
    package var url: String?
    /// When the daemon refreshes within the spread; drawn once.
    package var phase: RefreshPhase?
    /// The hours of the day in which the machine seems to be off.
    package var off: OffHours?
    /// How many delays in a row the machine did not stay on for.
    package var missedDelays = 0
    /// What an earlier response has shown of the origin's clock.
    package var clock: OriginClock?
    /// The number of failures in a row.
    package var attempt = 0
    /// The number of answers in a row that there is nothing at the address.
    package internal(set) var gone = 0
    /// The end of the backoff, which a refresh by hand need not wait for.
    @Clocked package var notBefore: Timestamp?
    /// The end of the origin's Retry-After, before which nothing is fetched.
    @Clocked package var retryAfter: Timestamp?
    /// When the last attempt began.
    package var lastAttemptAt: Timestamp?
    /// When the last attempt ended.
    package var lastEndAt: Timestamp?
    /// Whether an attempt is under way, or its process ended during it.
    package var isUnderWay = false
    /// The catalog that is held back.
    package var heldBack: HeldBack?
    /// How the last attempt ended.
    package var lastOutcome: RefreshResult.Outcome?
    /// Why the last attempt failed.
    package var lastError: Failure?

    /// Creates the schedule of an origin that was never asked.
    package init() {}

    /// The most missed delays that are counted; then there is no delay.
    static let maximumMissedDelays = 4

    /// The highest number of failures that is counted and that the file may hold; no backoff depends on a higher one.
    static let maximumAttempt = 1_000_000_000

    /// The largest difference between two clocks that is kept, in seconds: some 3000 years.
    static let maximumClockAhead: UInt = 100_000_000_000

    /// After how many answers in a row an address counts as gone. The first may be a mistake of the publisher's that is soon repaired.
    private static let goneAnswers = 2

    /// Counts another failure in a row.
    /// - Parameter isEarly: whether the answer came while the first one that there is nothing is doubted. Then it proves nothing new.
    mutating func countFailure(isGone: Bool = false, isEarly: Bool = false) {
        attempt = min(attempt + 1, Self.maximumAttempt)
        guard isGone else { return gone = 0 }
        if gone != 1 || !isEarly { gone = min(gone + 1, Self.maximumAttempt) }
    }

    mutating func drewDelay() {
        missedDelays = min(missedDelays + 1, Self.maximumMissedDelays)
    }

    /// The machine was on when an attempt was due. If delays had been missed before, it is probably on for short times only, so the next
    /// delay stays short; a refresh before the expiry shows the opposite.
    mutating func wasThere(at reason: RefreshStatus.Reason) {
        switch reason {
        case .startup, .resume: missedDelays = missedDelays > 2 ? missedDelays - 2 : max(missedDelays - 1, 0)
        case .expiry: missedDelays = max(missedDelays - 1, 0)
        case .retry, .retryAfter, .offline, .network, .none: break
        }
    }

    /// Whether the other one knows of a later attempt.
    package func isOlder(than other: RefreshSchedule) -> Bool {
        guard let time = other.lastAttemptAt else { return false }
        return lastAttemptAt.map { $0 < time } ?? true
    }

    /// Whether there seems to be nothing at the address any more.
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

    /// Records why an attempt failed. A bad signature stays the reason until a good catalog comes, or whoever delivers old ones could
    /// hide that behind another failure.
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
