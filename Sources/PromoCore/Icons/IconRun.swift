package import PromoWire

/// The pictures that a run still has to fetch, one after another.
package struct IconRun: Sendable {
    /// After so many failures in a row that a host may be to blame for, it is not asked again in this run.
    private static let patience = 2

    /// The shortest time between two publications.
    private static let publicationGap: Milliseconds = 1000

    private var queue: ArraySlice<String>
    /// How many such failures each host has had since its last answer.
    private var faults: [String: Int] = [:]
    /// What hosts have asked for with Retry-After. They are not asked again in this run.
    private var waits: [String: Duration] = [:]
    /// How many attempts failed, and why the first of them did.
    package private(set) var failed: (count: Int, first: String)?
    /// The addresses that were not asked because of their hosts, with what these have asked for.
    package private(set) var skipped: [(text: String, retryAfter: Duration?)] = []

    /// How many pictures have come.
    package private(set) var arrivals = 0
    /// How many of them are not published yet.
    package private(set) var unpublished = 0
    private var publishedAt: Milliseconds

    /// A run for some addresses.
    package init(_ urls: some Sequence<String>, now: Milliseconds = 0) {
        queue = Array(urls)[...]
        publishedAt = now
    }

    /// Another picture has come.
    package mutating func arrived() {
        arrivals += 1
        unpublished += 1
    }

    /// How many pictures are to be published now; nil while that is not worth it, since the effort grows with the number of apps.
    package mutating func takeUnpublished(now: Milliseconds) -> Int? {
        guard unpublished > 0, unpublished >= arrivals / 4, now - publishedAt >= Self.publicationGap else { return nil }
        defer { (unpublished, publishedAt) = (0, now) }
        return unpublished
    }

    /// The next address to ask, as the catalog writes it and as a URL; nil at the end.
    package mutating func next() -> (text: String, url: HTTPSURL)? {
        while let text = queue.popFirst() {
            guard let url = HTTPSURL(text) else { continue }
            let host = Self.host(url)
            guard faults[host, default: 0] >= Self.patience || waits[host] != nil else { return (text, url) }
            skipped.append((text, waits[host]))
        }
        return nil
    }

    /// Notes that a host has answered with a picture, or that it has not changed.
    package mutating func succeeded(_ url: HTTPSURL) {
        faults[Self.host(url)] = nil
    }

    /// Notes a failure.
    package mutating func failed(
        _ url: HTTPSURL, _ failure: Failure, httpStatus: Int? = nil, retryAfter: Duration? = nil
    ) {
        if let retryAfter { waits[Self.host(url)] = retryAfter }
        failed = (1 + (failed?.count ?? 0), failed?.first ?? failure.message)
        let isHostAtFault =
            switch failure.code {
            case .dns, .connect, .tls, .proxy, .timeout: true
            case .httpStatus: httpStatus == 429 || httpStatus == 503
            default: false
            }
        if isHostAtFault { faults[Self.host(url), default: 0] += 1 } else { succeeded(url) }
    }

    private static func host(_ url: HTTPSURL) -> String { "\(url.host):\(url.port)" }
}
