import PromoCore
import PromoWire

/// Sends the requests of one fetch, or of several, one after another.
protocol OriginConnection: Sendable {
    /// Sends a request, and waits for its answer.
    func ask(_ query: FetchQuery) -> FetchAnswer

    /// Makes the current request fail, and all later ones; may be called on any thread.
    func cancel()

    /// Whether every later request would fail.
    var isOver: Bool { get }

    /// Cancels, and waits until everything is released; called once.
    func close()
}

/// The requests and responses of one fetch, including redirects.
struct Exchange: Sendable {
    private static let maximumRedirects = 5

    let request: OriginRequest
    /// Where the next request goes.
    private(set) var url: HTTPSURL
    private var redirects = 0
    /// Whether all redirects until now are permanent, and where the last one of the first that are leads.
    private var isMoved = true
    private var movedTo: HTTPSURL?

    init(_ request: OriginRequest) {
        self.request = request
        url = request.url
    }

    /// The failure of a fetch that was cancelled.
    static let cancelled = Failure(.connect, "The fetch was cancelled.")

    /// Performs the fetch, and waits for its end.
    mutating func perform(over connection: any OriginConnection) -> OriginReply {
        let deadline = ProcessSetup.uptime() + request.timeout.milliseconds
        while true {
            let answer = connection.ask(query(milliseconds: max(deadline - ProcessSetup.uptime(), 1)))
            if let reply = received(answer) { return reply }
        }
    }

    /// The next request.
    func query(milliseconds: Milliseconds) -> FetchQuery {
        FetchQuery(
            url: url, headers: headers, proxy: request.proxies.option, maximumBytes: request.maximumBytes,
            milliseconds: Int(milliseconds))
    }

    /// The validators that the current address has sent.
    private var validators: Validators {
        (request.validators.address ?? request.url.normalized) == url.normalized ? request.validators : Validators()
    }

    private var headers: [String] {
        var lines = [
            "User-Agent: promod/\(Version.current)", "Accept: \(request.accept)", "Accept-Encoding: gzip",
        ]
        for (name, validator) in [("If-None-Match", validators.etag), ("If-Modified-Since", validators.lastModified)] {
            if let bytes = validator?.bytes { lines.append("\(name): \(String(decoding: bytes, as: UTF8.self))") }
        }
        // Credentials are sent only to the configured origin, not to one to which it redirects.
        if let credentials = request.url.credentials, url.hasSameOrigin(as: request.url) {
            lines.append("Authorization: Basic \(Base64.text(Array(credentials.utf8)))")
        }
        return lines
    }

    /// Decides what follows from the answer to a request.
    /// - Returns: the reply of the fetch; nil if there is another request.
    mutating func received(_ answer: FetchAnswer) -> OriginReply? {
        guard let head = answer.head, answer.failure == nil else {
            return .failed(answer.failure ?? Self.cancelled, httpStatus: nil, retryAfter: nil)
        }
        var received = Validators(
            received: head[.etag], lastModified: head[.lastModified], date: head[.date],
            address: url.requestText == request.url.requestText ? nil : url.normalized)
        // A query may be secret, and is another address.
        received.movedTo = movedTo.map { $0.brief + ($0.target.contains("?") ? "?…" : "") }
        switch head.status {
        case 200: return .body(answer.body, received, age: head.ageInCaches, encoding: head[.unknownEncoding])
        case 304 where validators.isEmpty:
            return refused("304 (not modified) to a request without conditions", by: head, retryAfter: nil)
        case 304: return .notModified(received, age: head.ageInCaches)
        case 301, 302, 303, 307, 308:
            do throws(Failure) {
                url = try target(of: head[.location])
            } catch {
                return .failed(error, httpStatus: nil, retryAfter: nil)
            }
            redirects += 1
            isMoved = isMoved && [301, 308].contains(head.status)
            if isMoved { movedTo = url }
            return nil
        case let code:
            let phrase = head.phrase.shown(upTo: 200)
            return refused(phrase.isEmpty ? "\(code)" : "\(code) \(phrase)", by: head, retryAfter: head[.retryAfter])
        }
    }

    private func refused(_ answer: String, by head: FetchedHead, retryAfter: OutsideText?) -> OriginReply {
        let code: ProblemCode =
            switch head.status {
            case 404, 410: .notFound
            case 408, 429, 500...: .unavailable
            default: .httpStatus
            }
        return .failed(
            Failure(code, "\(url.brief) answers \(answer)."), httpStatus: head.status,
            retryAfter: retryAfter.map { RetryAfter.relative($0, to: head[.date], age: head.ageInCaches) })
    }

    private func target(of location: OutsideText?) throws(Failure) -> HTTPSURL {
        guard redirects < Self.maximumRedirects else {
            throw Failure(.redirect, "\(request.url.brief) redirects more than \(Self.maximumRedirects) times.")
        }
        guard let location, !location.isEmpty else {
            throw Failure(.redirect, "\(url.brief) redirects without saying where to.")
        }
        do throws(URLProblem) { return try HTTPSURL(location, relativeTo: url) } catch {
            throw Failure(.redirect, "\(url.brief) redirects to an address that \(error.clause).")
        }
    }
}

extension FetchedHead {
    fileprivate var ageInCaches: Duration { min(.seconds(age ?? 0), CatalogContents.longestAge) }
}
