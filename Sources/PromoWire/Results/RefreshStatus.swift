/// The state of a catalog's refreshes, as `status` reports it.
package struct RefreshStatus: JSONObject, Equatable {
    /// Whether a fetch is under way.
    package enum Activity: String, Word {
        case idle, loading
    }

    /// Why the next attempt is planned for its time.
    package enum Reason: String, Word {
        case startup, expiry, retry, retryAfter, none

        package static let title = "RefreshReason"
    }

    package var url: String?
    package var redirectedTo: String?
    package var proxy: ProxyStatus?
    package var activity = Activity.idle
    package var nextAt: Timestamp?
    package var reason = Reason.none
    package var retryAfter: Timestamp?
    package var attempt = 0
    package var attempts = 0
    package var failures = 0
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastDuration: Duration?
    package var lastError: Failure?

    mutating func visitMembers(_ member: inout MemberVisitor) {
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
        member("attempt", &attempt, "the number of failures in a row")
        member(
            "attempts", &attempts,
            "how many attempts have begun since the daemon started, or since the catalog has this address")
        member("failures", &failures, "how many of them failed")
        member("lastAttemptAt", &lastAttemptAt, "when the last attempt began")
        member("lastOutcome", &lastOutcome, "how it ended")
        member(
            "lastDuration", &lastDuration.inMilliseconds,
            "how long the last fetch since the daemon's start took, in milliseconds")
        member("lastError", &lastError, "why it failed")
    }

    /// The status of a catalog that was never fetched and has no attempt planned.
    package init() {}
}

/// The proxy through which an origin is asked, as `status` reports it.
package struct ProxyStatus: JSONObject, Equatable {
    package var url = ""
    package var source = ""

    package static let title = "Proxy"

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("url", &url, "the proxy's address, without user and password")
        member(
            "source", &source, "what sets it: proxy in the catalog's file, network.proxy, or an environment variable")
    }

    init() {}

    /// Creates a status from its parts.
    package init(url: String, source: String) {
        (self.url, self.source) = (url, source)
    }
}
