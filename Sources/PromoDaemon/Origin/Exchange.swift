import FoundationEssentials
import NIOHTTP1
import PromoCore
import PromoWire

/// The requests and responses of one fetch, including redirects, without I/O.
struct Exchange: Sendable {
    /// A request to send.
    struct Query: Equatable, Sendable {
        let url: HTTPSURL
        let headers: HTTPHeaders
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

    private var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "User-Agent": "promod/\(Version.current)", "Accept": request.accept, "Accept-Encoding": "gzip",
        ]
        for (name, validator) in [
            ("If-None-Match", request.validators.etag), ("If-Modified-Since", request.validators.lastModified),
        ] {
            if let bytes = validator?.bytes { headers.add(name: name, value: String(decoding: bytes, as: UTF8.self)) }
        }
        // Credentials are sent only to the configured origin, not to one to which it redirects.
        if let credentials = request.url.credentials, url.hasSameOrigin(as: request.url) {
            headers.add(name: "Authorization", value: "Basic \(Data(credentials.utf8).base64EncodedString())")
        }
        return headers
    }

    /// The response to ``query`` has arrived.
    mutating func received(_ response: ReceivedResponse) -> Step {
        do throws(Failure) {
            return try step(after: response)
        } catch {
            return .end(.failed(error, httpStatus: nil, retryAfter: nil))
        }
    }

    private mutating func step(after response: ReceivedResponse) throws(Failure) -> Step {
        let headers = response.head.headers
        func header(_ name: String) -> OutsideText? { headers.first(name: name).map { OutsideText($0) } }
        let validators = Validators(received: header("ETag"), lastModified: header("Last-Modified"))
        switch response.head.status.code {
        case 200:
            return .end(.body(try decoded(response), validators))
        case 304 where request.validators.isEmpty:
            return refused("304 (not modified) to a request without conditions", by: response.head, retryAfter: nil)
        case 304:
            return .end(.notModified(validators))
        case 301, 302, 303, 307, 308:
            url = try target(of: header("Location"))
            redirects += 1
            return .send(query)
        case let code:
            let phrase = OutsideText(response.head.status.reasonPhrase).shown(upTo: 200)
            return refused(
                phrase.isEmpty ? "\(code)" : "\(code) \(phrase)", by: response.head,
                retryAfter: header("Retry-After"))
        }
    }

    private func refused(_ answer: String, by head: HTTPResponseHead, retryAfter: OutsideText?) -> Step {
        .end(
            .failed(
                Failure(.httpStatus, "\(url.brief) answers \(answer)."), httpStatus: Int(head.status.code),
                retryAfter: retryAfter))
    }

    private func target(of location: OutsideText?) throws(Failure) -> HTTPSURL {
        guard redirects < Self.maximumRedirects else {
            throw Failure(.redirect, "\(request.url.brief) redirects more than \(Self.maximumRedirects) times.")
        }
        guard let location, !location.isEmpty else {
            throw Failure(.redirect, "\(url.brief) redirects without saying where to.")
        }
        let target = location.percentEscaped.ascii(upTo: HTTPSURL.maximumLength).flatMap {
            URL(string: $0, relativeTo: URL(string: url.requestText))
        }
        guard let target, let next = HTTPSURL(target.absoluteString) else {
            throw Failure(
                .redirect, "\(url.brief) redirects to an address that is not https, is not valid, or is too long.")
        }
        return next
    }

    /// The body without its content encoding.
    private func decoded(_ response: ReceivedResponse) throws(Failure) -> [UInt8] {
        let encoding = OutsideText(response.head.headers["Content-Encoding"].joined(separator: ", "))
        switch encoding.ascii(upTo: 64)?.lowercased() {
        case "", "identity": return response.body
        case "gzip", "x-gzip", "deflate": break
        default:
            throw Failure(
                .encoding, "\(url.brief) answers with the encoding \(encoding.shown()), and promod asked for gzip.")
        }
        do {
            return try Gunzip.decompress(response.body, maximumBytes: request.maximumBytes)
        } catch {
            switch error {
            case .invalid: throw Failure(.encoding, "The answer of \(url.brief) is not valid gzip.")
            case .tooLarge: throw FetchFailures.tooLarge(url, limit: request.maximumBytes)
            }
        }
    }
}

extension OutsideText {
    /// The text with bytes that are not ASCII as percent escapes, as browsers read them in a header.
    fileprivate var percentEscaped: OutsideText {
        OutsideText(
            bytes.flatMap { byte -> [UInt8] in
                byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
            })
    }
}
