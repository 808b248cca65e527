/// The state of one of the catalogs, as `status` reports it.
package struct CatalogStatus: JSONObject, Equatable {
    /// Why the next attempt is planned for its time.
    package enum Reason: String, GrowingWord {
        case startup, expiry, retry
        case retryAfter = "retry-after"
        case none

        package static let title = "RefreshReason"
    }

    package var name = ""
    /// The file that configures it; nil if the command line or the environment does.
    package var file: String?
    /// The origin's address, without user, password or query.
    package var url: String?
    package var freshness = Freshness()
    /// The number of apps in the served catalog.
    package var apps = 0
    package var nextAt: Timestamp?
    package var nextReason = Reason.none
    package var attempts = 0
    package var failures = 0
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastError: ProblemCode?
    package var isRefreshing = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("name", &name, CatalogReference.nameForm)
        member("file", &file, "the file that configures it; null if none does")
        member("url", &url, "the origin's address, without user, password or query; null if none is known")
        freshness.visitMembers(&member)
        member("apps", &apps, "the number of apps in the catalog")
        member("nextAt", &nextAt.roundedUp, "when the next attempt is planned")
        member("nextReason", &nextReason, "why it is planned for then")
        member("attempts", &attempts, "how many attempts have begun since the daemon started")
        member("failures", &failures, "the number of failures in a row")
        member("lastAttemptAt", &lastAttemptAt, "when the last attempt began")
        member("lastOutcome", &lastOutcome, "how it ended")
        member("lastError", &lastError, "why it failed; null if it did not")
        member("refreshing", &isRefreshing, "whether a fetch is under way")
    }

    /// The status of a catalog that was never fetched and has no attempt planned.
    package init() {}
}
