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
    /// Nil without an address.
    package var spread: Duration?
    package var attempts = 0
    package var failures = 0
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastDuration: Duration?
    package var lastError: Failure?
    package var clockAhead: Duration?
    package var heldBack: HeldBackStatus?

    package mutating func visitMembers(_ member: inout MemberVisitor) {
        member("url", &url, "the origin's address, without user, password and query")
        member(
            "redirectedTo", &redirectedTo,
            "the address that sent the served catalog, likewise, if the URL redirects there; null if it does not")
        member("proxy", &proxy, "the proxy through which it is asked; null if there is none")
        member("activity", &activity, "whether a fetch is under way")
        member("nextAt", &nextAt.roundedUp, "when the next attempt is planned")
        member("reason", &reason, "why it is planned for then")
        member(
            "retryAfter", &retryAfter.roundedUp,
            "the end of the pause for which the origin asked; null if there is none")
        member(
            "refusedUntil", &refusedUntil.roundedUp,
            "until when a refresh is refused, for that pause or because too many were requested; null if none is")
        member(
            "spread", &spread.inSeconds,
            "the spread in force, in seconds: refresh.spread, but at most nine tenths of the interval")
        member("attempt", &attempt, "the number of failures in a row")
        member(
            "gone", &gone,
            "the number of answers in a row, 404 or 410, that there is nothing at the address; from 2 on it is asked once per refresh.interval"
        )
        member(
            "attempts", &attempts, "how many attempts have begun since the daemon started")
        member("failures", &failures, "how many of them failed")
        member("lastAttemptAt", &lastAttemptAt, "when the last attempt began")
        member("lastOutcome", &lastOutcome, "how it ended")
        member(
            "lastDuration", &lastDuration.inMilliseconds,
            "how long the last fetch since the daemon's start took, in milliseconds")
        member("lastError", &lastError, "why it failed")
        member(
            "clockAhead", &clockAhead.inSeconds,
            "by how many seconds this machine's clock is ahead of the origin's, negative if it is behind; null if that is not known"
        )
        member(
            "heldBack", &heldBack, "a catalog that lost more than half of its apps and is not served yet")
    }

    /// The status of a catalog that was never fetched and has no attempt planned.
    package init() {}
}

/// A catalog that lost more than half of its apps and is not served yet, as `status` and events report it.
package struct HeldBackStatus: JSONObject, Equatable {
    package var since = Timestamp(seconds: 0)
    package var apps = 0
    package var lost = 0

    package static let title = "HeldBack"
    package mutating func visitMembers(_ member: inout MemberVisitor) {
        member("since", &since, "when it was first fetched")
        member("apps", &apps, "how many apps it has")
        member("lost", &lost, "how many of the served apps it lacks")
    }

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
    package mutating func visitMembers(_ member: inout MemberVisitor) {
        member("url", &url, "the proxy's address, without user and password")
        member("source", &source, "what sets it: catalog.proxy, or an environment variable")
    }

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
