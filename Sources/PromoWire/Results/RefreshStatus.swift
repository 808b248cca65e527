/// The state of a catalog's refreshes, as `status` reports it.
package struct RefreshStatus: JSONObject, Equatable {
    /// Whether a fetch is under way.
    package enum Activity: String, Word {
        case idle, loading
    }

    /// Why the next attempt is planned for its time.
    package enum Reason: String, Word {
        case startup, expiry, retry
        case retryAfter = "retry-after"
        case offline, network, resume, none

        package static let title = "RefreshReason"
    }

    package var url: String?
    package var redirectedTo: String?
    package var proxy: ProxyStatus?
    package var activity = Activity.idle
    package var nextAt: Timestamp?
    package var reason = Reason.none
    package var retryAfter: Timestamp?
    package var refusedUntil: Timestamp?
    package var attempt = 0
    package var gone = 0
    /// Nil if an earlier promod does not say.
    package var spread: Duration?
    package var attempts = 0
    package var failures = 0
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastDuration: Duration?
    package var lastError: Failure?
    package var clockAhead: Duration?
    package var heldBack: HeldBackStatus?

    package static let members: [Member<RefreshStatus>] = [
        Member("url", \.url, "the origin's address, without user, password and query"),
        Member(
            "redirectedTo", \.redirectedTo,
            "the address that sent the served catalog, likewise, if the URL redirects there; null if it does not",
            isLenient: true),
        Member("proxy", \.proxy, "the proxy through which it is asked; null if there is none", isLenient: true),
        Member("activity", \.activity, "whether a fetch is under way"),
        Member("nextAt", \.nextAt, as: .roundedUp, "when the next attempt is planned"),
        Member("reason", \.reason, "why it is planned for then"),
        Member(
            "retryAfter", \.retryAfter, as: .roundedUp,
            "the end of the pause for which the origin asked; null if there is none"),
        Member(
            "refusedUntil", \.refusedUntil, as: .roundedUp,
            "until when a refresh is refused, for that pause or because too many were requested; null if none is",
            isLenient: true),
        Member(
            "spread", \.spread, as: .seconds,
            "the spread in force, in seconds: refresh.spread, but at most nine tenths of the interval", isLenient: true),
        Member("attempt", \.attempt, "the number of failures in a row"),
        Member(
            "gone", \.gone,
            "the number of answers in a row, 404 or 410, that there is nothing at the address; from 2 on it is asked once per refresh.interval",
            isLenient: true),
        Member(
            "attempts", \.attempts, "how many attempts have begun since the daemon started", isLenient: true),
        Member("failures", \.failures, "how many of them failed", isLenient: true),
        Member("lastAttemptAt", \.lastAttemptAt, "when the last attempt began"),
        Member("lastOutcome", \.lastOutcome, "how it ended"),
        Member(
            "lastDuration", \.lastDuration, as: .milliseconds,
            "how long the last fetch since the daemon's start took, in milliseconds", isLenient: true),
        Member("lastError", \.lastError, "why it failed"),
        Member(
            "clockAhead", \.clockAhead, as: .seconds,
            "by how many seconds this machine's clock is ahead of the origin's, negative if it is behind; null if that is not known",
            isLenient: true),
        Member(
            "heldBack", \.heldBack, "a catalog that lost more than half of its apps and is not served yet",
            isLenient: true),
    ]

    /// The status of a catalog that was never fetched and has no attempt planned.
    package init() {}
}

/// A catalog that lost more than half of its apps and is not served yet, as `status` and events report it.
package struct HeldBackStatus: JSONObject, Equatable {
    package var since = Timestamp(seconds: 0)
    package var apps = 0
    package var lost = 0

    package static let title = "HeldBack"
    package static let members: [Member<HeldBackStatus>] = [
        Member("since", \.since, "when it was first fetched"),
        Member("apps", \.apps, "how many apps it has"),
        Member("lost", \.lost, "how many of the served apps it lacks"),
    ]

    package init() {}

    /// Creates a status from its parts.
    package init(since: Timestamp, apps: Int, lost: Int) {
        (self.since, self.apps, self.lost) = (since, apps, lost)
    }
}

/// The proxy through which an origin is asked, as `status` reports it.
package struct ProxyStatus: JSONObject, Equatable {
    package var url = ""
    package var source = ""

    package static let title = "Proxy"
    package static let members: [Member<ProxyStatus>] = [
        Member("url", \.url, "the proxy's address, without user and password"),
        Member("source", \.source, "what sets it: catalog.proxy, or an environment variable"),
    ]

    package init() {}

    /// Creates a status from its parts.
    package init(url: String, source: String) {
        (self.url, self.source) = (url, source)
    }

    /// The message of `setup` about a proxy of the environment that it has configured.
    package var advice: String {
        "It has the proxy of \(source) too, \(url), since a service does not see a shell's variables; catalog.proxy = \"direct\" is without one."
    }
}
