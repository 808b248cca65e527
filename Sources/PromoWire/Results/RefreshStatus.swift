/// The refresh plane as `status` shows it.
package struct RefreshStatus: Equatable, Sendable {
    /// Whether a fetch is under way.
    package enum Activity: String, Sendable {
        case idle, loading
    }

    /// The origin, without user, password and query; nil where none is configured.
    package var url: String?
    package var activity: Activity
    package var nextAt: Timestamp?
    /// Why the next attempt comes when it does.
    package var reason: String
    /// Failures in a row.
    package var attempt: Int
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastError: Failure?

    /// The status of a plane that never tried and never will.
    package init() {
        activity = .idle
        reason = "none"
        attempt = 0
    }

    /// Writes the JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("url", url)
            writer.member("activity", activity.rawValue)
            writer.member("nextAt", nextAt?.roundedUpToSecond)
            writer.member("reason", reason)
            writer.member("attempt", attempt)
            writer.member("lastAttemptAt", lastAttemptAt)
            writer.member("lastOutcome", lastOutcome?.rawValue)
            writer.member("lastError", lastError)
        }
    }
}
