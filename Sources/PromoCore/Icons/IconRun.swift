package import PromoWire

/// A run that fetches the pictures of a catalog, one after another.
package struct IconRun: Sendable {
    /// The number of failures in a row, of those that a host may have caused, after which it is skipped for the rest of the run.
    private static let patience = 2

    /// The shortest time between two publications.
    private static let publicationGap: Milliseconds = 1000

    private var queue: ArraySlice<String>
    /// The address that is being fetched.
    private var current: String?
    /// The number of such failures of each host since its last answer.
    private var faults: [String: Int] = [:]
    /// The Retry-After that hosts have sent; they are skipped for the rest of the run.
    private var waits: [String: Duration] = [:]
    /// The number of failed attempts, and the message of the first.
    package private(set) var failed: (count: Int, first: String)?
    /// The addresses that were skipped because of their hosts or the disk, with the Retry-After of the hosts.
    package private(set) var skipped: [(text: String, retryAfter: Duration?)] = []

    /// The number of pictures received.
    package private(set) var arrivals = 0
    /// The number of received pictures that are not published yet.
    package private(set) var unpublished = 0
    private var publishedAt: Milliseconds

    /// Creates a run for these addresses.
    package init(_ urls: some Sequence<String>, now: Milliseconds = 0) {
        queue = Array(urls)[...]
        publishedAt = now
    }

    /// A picture was received.
    package mutating func arrived() {
        arrivals += 1
        unpublished += 1
    }

    /// Takes the number of pictures to publish now; nil while they are few, because a publication costs time for every app.
    package mutating func takeUnpublished(now: Milliseconds) -> Int? {
        guard unpublished > 0, unpublished >= arrivals / 4, now - publishedAt >= Self.publicationGap else { return nil }
        defer { (unpublished, publishedAt) = (0, now) }
        return unpublished
    }

    /// Takes the next address, as the catalog writes it and as a URL; nil at the end.
    package mutating func next() -> (text: String, url: HTTPSURL)? {
        current = nil
        while let text = queue.popFirst() {
            guard let url = HTTPSURL(text) else { continue }
            let host = Self.host(url)
            guard faults[host, default: 0] >= Self.patience || waits[host] != nil else {
                current = text
                return (text, url)
            }
            skipped.append((text, waits[host]))
        }
        return nil
    }

    /// Whether an address is being fetched, or is to be.
    package func isAhead(_ text: String) -> Bool { current == text || queue.contains(text) }

    /// A host has sent a picture, or has confirmed the stored one.
    package mutating func succeeded(_ url: HTTPSURL) {
        faults[Self.host(url)] = nil
    }

    /// A fetch has failed.
    package mutating func failed(
        _ url: HTTPSURL, _ failure: Failure, retryAfter: Duration? = nil
    ) {
        if let retryAfter { waits[Self.host(url)] = retryAfter }
        failed = (1 + (failed?.count ?? 0), failed?.first ?? failure.message)
        let isHostAtFault =
            switch failure.code {
            case .dns, .connect, .tls, .untrusted, .certificateTime, .certificate, .proxy, .timeout, .unavailable: true
            default: false
            }
        if isHostAtFault { faults[Self.host(url), default: 0] += 1 } else { succeeded(url) }
    }

    /// The disk has refused a picture, and would refuse the next one too.
    package mutating func skipRest() {
        skipped += queue.map { ($0, nil) }
        queue = []
    }

    private static func host(_ url: HTTPSURL) -> String { "\(url.host):\(url.port)" }
}
