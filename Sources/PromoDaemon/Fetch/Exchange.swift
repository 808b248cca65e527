import CFetch
import PromoCore
import PromoWire

/// Sends the requests of one fetch, or of several, one after another.
protocol OriginConnection: Sendable {
    /// Sends a request, and waits for its answer.
    func ask(_ query: FetchQuery) throws(Failure) -> FetchAnswer

    /// Makes the current request fail, and all later ones; may be called on any thread.
    func cancel()

    /// Whether every later request would fail.
    var isOver: Bool { get }

    /// Cancels, and waits until everything is released; called once.
    func close()
}

/// What a fetch asks for, and what the answer means.
struct Exchange: Sendable {
    /// How many times the limit of a silence the whole may take.
    private static let silences: Milliseconds = 20

    let request: OriginRequest

    init(_ request: OriginRequest) {
        self.request = request
    }

    /// The failure of a fetch that was cancelled.
    static let cancelled = Failure(.connect, "The fetch was cancelled.")

    /// Performs the fetch, and waits for its end.
    func perform(over connection: any OriginConnection) -> OriginReply {
        let deadline = PollLoop.clock() + request.timeout.milliseconds * Self.silences
        var validators = request.validators
        do throws(Failure) {
            while true {
                let left = max(deadline - PollLoop.clock(), 1)
                let answer = try connection.ask(query(with: validators, milliseconds: left))
                if let reply = try reply(to: answer, with: validators) { return reply }
                validators = Validators()
            }
        } catch {
            return .failed(error, httpStatus: nil, retryAfter: nil)
        }
    }

    /// The request, with these conditions.
    func query(with validators: Validators, milliseconds: Milliseconds) -> FetchQuery {
        var query = FetchQuery()
        query.url = request.url.requestText
        query.headers = [
            "User-Agent: promod/\(Version.current)", "Accept: \(request.accept)", "Accept-Encoding: gzip",
        ]
        for (name, validator) in [("If-None-Match", validators.etag), ("If-Modified-Since", validators.lastModified)] {
            if let bytes = validator?.bytes {
                query.headers.append("\(name): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        (query.credentials, query.proxy) = (request.url.credentials, request.proxies.option)
        query.maximumBytes = request.maximumBytes
        (query.patience, query.milliseconds) = (Int(request.timeout.milliseconds), Int(milliseconds))
        return query
    }

    /// What an answer means for the fetch; nil if the request has to be repeated without conditions, because another address has
    /// confirmed the validators than the one that had sent them.
    func reply(to answer: FetchAnswer, with validators: Validators) throws(Failure) -> OriginReply? {
        let url = HTTPSURL(answer.address)
        // The status decides before the body, which is not read after an error.
        let isAnswered = [PROMOD_CURL_OK, PROMOD_CURL_WRITE_ERROR].contains(answer.code) || answer.status >= 400
        guard isAnswered, 100...999 ~= answer.status else {
            throw answer.failure(at: url ?? request.url, for: request)
        }
        guard let url else {
            throw Failure(.redirect, "\(request.url.brief) redirects to an address that promod cannot use.")
        }
        var received = Validators(
            received: answer.etag, lastModified: answer.lastModified,
            address: url.description == request.url.description ? nil : url.description)
        // A query may be secret, and is another address.
        if answer.isMoved { received.movedTo = url.brief + (url.target.contains("?") ? "?…" : "") }
        let age = min(.seconds(max(answer.age, 0)), CatalogContents.longestAge)
        switch answer.status {
        case 200: return .body(answer.body, received, age: age, encoding: answer.otherEncoding)
        case 304 where !validators.isEmpty:
            return received.address == validators.address ? .notModified(received, age: age) : nil
        case let status:
            let code: ProblemCode =
                switch status {
                case 304: .httpStatus
                case 300..<400: .redirect
                case 404, 410: .notFound
                case 408, 429, 500...: .unavailable
                default: .httpStatus
                }
            let phrase = answer.phrase.isEmpty ? "" : " \(answer.phrase.shown(upTo: 200))"
            return .failed(
                Failure(code, "\(url.brief) answers \(status)\(phrase)".sentence), httpStatus: status,
                retryAfter: answer.retryAfter.map { .seconds(max($0, 0)) })
        }
    }
}

extension FetchAnswer {
    /// What the body is said to be beside gzip.
    fileprivate var otherEncoding: OutsideText? { encoding?.ascii(upTo: 8)?.lowercased() == "gzip" ? nil : encoding }
}
