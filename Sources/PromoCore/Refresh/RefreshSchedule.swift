package import PromoWire

/// What has to outlive the process so that restarts neither forget a backoff nor hammer the origin.
package struct RefreshSchedule: Equatable, Sendable {
    /// The origin that it belongs to, normalised.
    package var url: String?
    /// Failures in a row.
    package var attempt = 0
    /// The end of the backoff; a refresh by hand may pass it.
    package var notBefore: Timestamp?
    /// The end of the time that the origin asked for; nothing passes it.
    package var retryAfter: Timestamp?
    /// When the last attempt began.
    package var lastAttemptAt: Timestamp?
    /// When the last attempt ended.
    package var lastEndAt: Timestamp?
    /// How the last attempt ended.
    package var lastOutcome: RefreshResult.Outcome?
    /// Why the last attempt failed.
    package var lastError: Failure?

    /// The schedule of a daemon that never tried.
    package init() {}

    /// Far beyond any backoff, and still a number that the file can hold.
    private static let maximumAttempt = 1_000_000_000

    /// Counts one more failure in a row.
    mutating func countFailure() {
        attempt = min(attempt + 1, Self.maximumAttempt)
    }
}

extension RefreshSchedule {
    /// Forgets what failed before.
    mutating func succeeded(_ outcome: RefreshResult.Outcome) {
        attempt = 0
        notBefore = nil
        retryAfter = nil
        lastError = nil
        lastOutcome = outcome
    }

    /// Writes its members into an object.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("url", url)
        writer.member("attempt", attempt)
        writer.member("notBefore", notBefore?.roundedUpToSecond)
        writer.member("retryAfter", retryAfter?.roundedUpToSecond)
        writer.member("lastAttemptAt", lastAttemptAt)
        writer.member("lastEndAt", lastEndAt?.roundedUpToSecond)
        writer.member("lastOutcome", lastOutcome?.rawValue)
        writer.member("lastError", lastError)
    }

    /// Reads what ``writeMembers(to:)`` wrote; nil for anything else. Members that are not known are ignored.
    init?(_ root: JSONValue) {
        guard root.kind == .object, let attempt = root["attempt"]?.integer,
            (0...Self.maximumAttempt).contains(attempt)
        else { return nil }
        self.attempt = attempt
        url = root["url"]?.string
        func time(_ name: String) -> Timestamp? { root[name]?.string.flatMap(Timestamp.init(rfc3339:)) }
        notBefore = time("notBefore")
        retryAfter = time("retryAfter")
        lastAttemptAt = time("lastAttemptAt")
        lastEndAt = time("lastEndAt")
        lastOutcome = root["lastOutcome"]?.string.flatMap(RefreshResult.Outcome.init)
        if let error = root["lastError"], let code = error["code"]?.string.flatMap(Failure.Code.init) {
            lastError = Failure(code, error["message"]?.string ?? "")
        }
    }
}
