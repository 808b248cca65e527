/// The result of `status`.
package struct StatusResult: MethodResult, JSONObject, Equatable {
    /// The version of the protocol.
    package static let protocolVersion = 1

    package var version = ""
    package var pid = 0
    package var startedAt = Timestamp(seconds: 0)
    package var startedBy = Growing(StartedBy.commandLine)
    /// Identifies the daemon's run.
    package var epoch = ""
    package var isOnline = false
    package var problems: [Problem] = []
    /// All catalogs, in order of precedence.
    package var catalogs: [CatalogStatus] = []
    package var socket = SocketStatus()
    /// Requests carried out since the start, by method.
    package var requests: [String: Int] = [:]

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("version", &version, "promod's version")
        member.derived("protocol", Self.protocolVersion, "the version of this protocol")
        member("pid", &pid, "the daemon's process id")
        member("startedAt", &startedAt, "when the daemon started")
        member(
            "startedBy", &startedBy,
            "what started it: a service manager, an app with `promod --background`, or the command line")
        member("epoch", &epoch, "the identifier of the daemon's run")
        member(
            "online", &isOnline,
            "whether requests can leave this machine: by a route to a global address, or through a proxy")
        member("problems", &problems, "what a person may have to know or fix, the most urgent first")
        member("catalogs", &catalogs, "all catalogs, in order of precedence")
        member("socket", &socket, "the socket and its connections")
        member("requests", &requests, "requests carried out since the start, by method")
    }

    /// The status of a daemon that knows nothing yet.
    package init() {}
}

/// What started the daemon.
package enum StartedBy: String, Word {
    case service, app
    case commandLine = "command-line"
}

/// The socket, as `status` reports it.
package struct SocketStatus: JSONObject, Equatable {
    package var path = ""
    /// The number of connections that are open, and of those that receive events.
    package var (connections, subscribers) = (0, 0)

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("path", &path, "the path of the socket")
        member("connections", &connections, "connections that are open")
        member("subscribers", &subscribers, "connections that receive events")
    }
}

/// The state of one of the catalogs, as `status` reports it.
package struct CatalogStatus: JSONObject, Equatable {
    /// Why the next attempt is planned for its time.
    package enum Reason: String, Word {
        case startup, expiry, retry
        case retryAfter = "retry-after"
        /// It is fetched when a client asks for it.
        case resting
        case none

        package static let title = "RefreshReason"
    }

    /// All names under which clients find it; ``name`` is the first.
    package var names = [""]
    /// The file that configures it; nil if the command line does.
    package var file: String?
    /// The device and the number of that file as promod has read it, by which a program knows a file that it has written.
    package var fileID: String?
    /// The origin's address, without user, password or query.
    package var url: String?
    package var freshness = Freshness()
    /// The number of apps in the served catalog.
    package var apps = 0
    package var nextAt: Timestamp?
    package var nextReason = Growing(Reason.none)
    package var attempts = 0
    package var failures = 0
    package var lastAttemptAt: Timestamp?
    package var lastOutcome: RefreshResult.Outcome?
    package var lastError: Growing<ProblemCode>?
    package var isRefreshing = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("names", &names, "all its names: those of the files that have its address")
        member.derived("name", name, "the first of its names")
        member("file", &file, "the file that configures it; null if the command line does")
        member("fileID", &fileID, "the device and the number of that file as it was read, such as 2049:131")
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

    package var name: String { names.first ?? "" }

    /// The status of a catalog that was never fetched and has no attempt planned.
    package init() {}
}

extension StatusResult {
    /// The state in one line for people: what is served, what comes next, and what is wrong. It has times rather than ages, so that it stays
    /// true without an update.
    /// - Parameter format: writes a time in the reader's zone.
    package func headline(format: (Timestamp) -> String) -> String {
        let next = catalogs.compactMap(\.nextAt).min().map { "next refresh \(format($0.roundedUpToSecond))" }
        let upcoming = catalogs.contains(where: \.isRefreshing) ? "fetching" : next
        let line = [served(format), upcoming].compactMap(\.self).joined(separator: ", ")
        guard let first = problems.first else { return line }
        let which = problems.count == 1 ? "problem" : "\(problems.count) problems, the first"
        return "\(line); \(which): \(first.text)"
    }

    private func served(_ format: (Timestamp) -> String) -> String {
        let apps = catalogs.reduce(0) { $0 + $1.apps }.counting("app")
        guard let only = catalogs.first, catalogs.count == 1 else {
            return catalogs.isEmpty ? "no catalog is configured" : "\(catalogs.count) catalogs with \(apps)"
        }
        return switch only.freshness.source {
        case .none: "no catalog yet"
        case .sample: "the sample of \(apps)"
        case .file: "\(apps) of \(only.file ?? "a file")"
        case .bundled: "\(apps) of the package's file, not fetched yet"
        case .origin: apps + (only.freshness.fetchedAt.map { ", fetched \(format($0))" } ?? "")
        }
    }
}
