import PromoCore
import PromoFetch
package import PromoWire

/// How an origin delivers a catalog, judged by a fetch and a conditional one after it.
package struct Delivery: Sendable {
    /// The result of the second, conditional request.
    package enum Second: Equatable, Sendable {
        case notModified
        /// A whole response, with the same bytes or with others.
        case body(isSame: Bool)
        case failed(Failure)
    }

    /// The responses of the first fetch, redirects among them.
    let hops: [OriginHop]
    let bytes: Int
    /// The validators of the second request.
    let validators: Validators
    let second: Second

    /// A body of at most this many bytes fits into one packet, compressed or not.
    private static let smallBody = 1200
    /// The age in seconds from which a cache delays publications.
    private static let longAge = 3600

    /// What to change, a sentence or two each.
    package var remarks: [String] {
        [move, second == .notModified ? nil : condition, age, encoding].compactMap(\.self)
    }

    private var last: OriginHop? { hops.last }

    private var move: String? {
        let moves = hops.prefix { [301, 308].contains($0.head.status) }
        guard let first = moves.first, hops.count > moves.count else { return nil }
        return
            "This address has moved for good (\(first.head.status)) to \(hops[moves.count].url). Give that one to every app and machine, "
            + "or each fetch costs \(hops.count) requests."
    }

    private var condition: String? {
        guard let head = last?.head else { return nil }
        switch second {
        case .failed(let failure):
            return "A second request failed; does the origin limit their rate? \(failure.message)"
        case .body(isSame: false):
            return "The catalog changed between two requests. Does the origin generate it for each request?"
        case .notModified, .body: break
        }
        let cost = "so each fetch costs all \(bytes) bytes though nothing has changed"
        guard head[.etag] != nil || head[.lastModified] != nil else {
            return "The origin sends neither ETag nor Last-Modified, \(cost). Have it send one of them."
        }
        guard !validators.isEmpty else {
            return
                "The origin's \(head[.etag] == nil ? "Last-Modified" : "ETag") is of no use, \(cost). It must not be * or longer than "
                + "\(Validators.maximumLength) bytes."
        }
        let apache =
            head[.etag].map { $0.text.contains("-gzip") } == true
            ? " It looks like Apache's, which changes the ETag when it compresses: set \"DeflateAlterETag NoChange\", or "
                + "\"FileETag None\"." : ""
        return
            "The origin answers a request with its own \(head[.etag] == nil ? "Last-Modified" : "ETag") with a whole catalog instead of 304 "
            + "(not modified), \(cost).\(apache)"
    }

    private var age: String? {
        guard let age = last?.head.age, age >= Self.longAge else { return nil }
        return
            "The response comes from a cache that has had it for \((age / 3600).counting("hour")), and a new catalog takes as long to "
            + "arrive. Purge the cache after each, or let it ask more often (Cache-Control: max-age=300)."
    }

    private var encoding: String? {
        guard last?.head.isCompressed == false, bytes > Self.smallBody else { return nil }
        return
            "The origin sends \(bytes) bytes uncompressed, although gzip was asked for. Have it compress application/json."
    }
}
