/// The state of a catalog's refreshes, as `status` reports it.
package struct RefreshStatus: Equatable, Sendable {
    /// Whether a fetch is under way.
    package enum Activity: String, Sendable {
        case idle, loading
    }

    /// Why the next attempt is planned for its time.
    package enum Reason: String, CaseIterable, Sendable {
        case startup, expiry, retry
        case retryAfter = "retry-after"
        case offline, network, resume, none
    }

    /// The origin's URL, without user, password and query; nil if none is configured.
    package var url: String?
    /// The address that sent what is held, likewise, if the URL redirects there; nil if it does not.
    package var redirectedTo: String?
    /// The proxy for that URL; nil if there is none.
    package var proxy: ProxyStatus?
    package var activity: Activity
    package var nextAt: Timestamp?
    package var reason: Reason
    /// When the pause ends that the origin asked for, before which nothing is fetched; nil if there is none.
    package var retryAfter: Timestamp?
    /// Until when a refresh is refused: for ``retryAfter``, or because too many were requested; nil if none is.
    package var refusedUntil: Timestamp?
    /// The number of failures in a row.
    package var attempt: Int
    /// The number of answers in a row that there is nothing at the address; after the second it is asked once per interval.
    package var gone: Int
    /// How much earlier than at its latest time the catalog may be refreshed, at random; nil if an earlier promod does not say.
    package var spread: Duration?
    /// How many attempts have begun since the daemon started.
    package var attempts: Int
    /// How many of them failed.
    package var failures: Int
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    /// How long the last fetch since the daemon's start took; nil if none has ended.
    package var lastDuration: Duration?
    package var lastError: Failure?
    /// How far this machine's clock is ahead of the origin's, or behind it if negative; nil if that is not known.
    package var clockAhead: Duration?
    /// The catalog that is held back; nil if there is none.
    package var heldBack: HeldBackStatus?

    /// Creates the status of a catalog that was never fetched and has no attempt planned.
    package init() {
        activity = .idle
        reason = .none
        attempt = 0
        gone = 0
        attempts = 0
        failures = 0
    }

    /// Writes the JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("url", url)
            writer.member("redirectedTo", redirectedTo)
            writer.member("proxy", proxy)
            writer.member("activity", activity.rawValue)
            writer.member("nextAt", nextAt?.roundedUpToSecond)
            writer.member("reason", reason.rawValue)
            writer.member("retryAfter", retryAfter?.roundedUpToSecond)
            writer.member("refusedUntil", refusedUntil?.roundedUpToSecond)
            writer.member("spread", spread.map { Int($0.components.seconds) })
            writer.member("attempt", attempt)
            writer.member("gone", gone)
            writer.member("attempts", attempts)
            writer.member("failures", failures)
            writer.member("lastAttemptAt", lastAttemptAt)
            writer.member("lastOutcome", lastOutcome?.rawValue)
            writer.member("lastDuration", lastDuration.map { Int($0.milliseconds) })
            writer.member("lastError", lastError)
            writer.member("clockAhead", clockAhead.map { Int($0.components.seconds) })
            writer.member("heldBack", heldBack)
        }
    }
}

extension RefreshStatus {
    /// Reads the object in a status.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init()
        url = try json.optionalString("url")
        redirectedTo = json["redirectedTo"]?.outsideText?.text
        proxy = try ProxyStatus(in: json)
        activity = try json.word("activity")
        nextAt = try json.optionalTime("nextAt")
        reason = try json.word("reason")
        retryAfter = try json.optionalTime("retryAfter")
        refusedUntil = json["refusedUntil"]?.time
        attempt = try json.integer("attempt")
        spread = Self.seconds(json["spread"])
        gone = json["gone"]?.integer ?? 0
        attempts = json["attempts"]?.integer ?? 0
        failures = json["failures"]?.integer ?? 0
        lastAttemptAt = try json.optionalTime("lastAttemptAt")
        lastOutcome = try json.optionalWord("lastOutcome")
        lastDuration = json["lastDuration"]?.integer.map { .milliseconds($0) }
        lastError = try json.failure("lastError")
        clockAhead = Self.seconds(json["clockAhead"])
        heldBack = try HeldBackStatus(in: json)
    }

    private static func seconds(_ json: JSONValue?) -> Duration? {
        json?.integer.flatMap { $0.magnitude < 1 << 40 ? .seconds($0) : nil }
    }
}
