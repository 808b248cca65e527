import PromoCore
import PromoFetch
import PromoWire

/// The requests and responses of one fetch, including redirects, without I/O.
struct Exchange: Sendable {
    /// A request to send.
    struct Query: Equatable, Sendable {
        let url: HTTPSURL
        /// The header's lines.
        let headers: [String]
    }

    /// What to do after a response.
    enum Step: Equatable, Sendable {
        case send(Query)
        case end(OriginReply)
    }

    private static let maximumRedirects = 5

    let request: OriginRequest
    private var url: HTTPSURL
    private var redirects = 0

    init(_ request: OriginRequest) {
        self.request = request
        url = request.url
    }

    /// The current request.
    var query: Query { Query(url: url, headers: headers) }

    /// Those that count at the current address.
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
        // A cache on the way would give the same answer as before.
        if request.isSecondLook { lines.append("Cache-Control: no-cache") }
        // Credentials are sent only to the configured origin, not to one to which it redirects.
        if let credentials = request.url.credentials, url.hasSameOrigin(as: request.url) {
            lines.append("Authorization: Basic \(Base64.text(Array(credentials.utf8)))")
        }
        return lines
    }

    /// The response to ``query`` has arrived, or will not.
    mutating func received(_ result: Result<ReceivedResponse, Failure>) -> Step {
        do throws(Failure) {
            return try step(after: result.get())
        } catch {
            return .end(.failed(error, httpStatus: nil, retryAfter: nil))
        }
    }

    private mutating func step(after response: ReceivedResponse) throws(Failure) -> Step {
        let head = response.head
        let received = Validators(
            received: head.etag, lastModified: head.lastModified,
            address: url.requestText == request.url.requestText ? nil : url.normalized)
        switch head.status {
        case 200:
            guard response.body.count <= request.maximumBytes else {
                throw FetchFailures.tooLarge(url, limit: request.maximumBytes)
            }
            return .end(.body(response.body, received, age: ResponseAge(head)))
        case 304 where validators.isEmpty:
            return refused("304 (not modified) to a request without conditions", by: head, retryAfter: nil)
        case 304:
            return .end(.notModified(received, age: ResponseAge(head)))
        case 301, 302, 303, 307, 308:
            url = try target(of: head.location)
            redirects += 1
            return .send(query)
        case let code:
            let phrase = head.phrase.shown(upTo: 200)
            return refused(phrase.isEmpty ? "\(code)" : "\(code) \(phrase)", by: head, retryAfter: head.retryAfter)
        }
    }

    private func refused(_ answer: String, by head: FetchedHead, retryAfter: OutsideText?) -> Step {
        .end(
            .failed(
                Failure(.httpStatus, "\(url.brief) answers \(answer)."), httpStatus: head.status,
                retryAfter: retryAfter.map { RetryAfter.relative($0, to: ResponseAge(head)) }))
    }

    private func target(of location: OutsideText?) throws(Failure) -> HTTPSURL {
        guard redirects < Self.maximumRedirects else {
            throw Failure(.redirect, "\(request.url.brief) redirects more than \(Self.maximumRedirects) times.")
        }
        guard let location else {
            throw Failure(.redirect, "\(url.brief) redirects without saying where to.")
        }
        guard let next = location.ascii(upTo: HTTPSURL.maximumLength).flatMap(HTTPSURL.init) else {
            throw Failure(
                .redirect, "\(url.brief) redirects to an address that is not https, is not valid, or is too long.")
        }
        return next
    }
}

extension ResponseAge {
    fileprivate init(_ head: FetchedHead) {
        self.init(age: head.age.map { .seconds($0) }, date: head.date)
    }
}
