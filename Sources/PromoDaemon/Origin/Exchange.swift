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
        if let etag = request.validators.etag { headers.add(name: "If-None-Match", value: etag) }
        if let date = request.validators.lastModified { headers.add(name: "If-Modified-Since", value: date) }
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
        let validators = Validators(
            received: headers.first(name: "ETag"), lastModified: headers.first(name: "Last-Modified"))
        switch response.head.status.code {
        case 200:
            return .end(.body(try decoded(response), validators))
        case 304 where request.validators.isEmpty:
            return refused("304 (not modified) to a request without conditions", by: response.head, retryAfter: nil)
        case 304:
            return .end(.notModified(validators))
        case 301, 302, 303, 307, 308:
            url = try target(of: headers.first(name: "Location"))
            redirects += 1
            return .send(query)
        case let code:
            let phrase = response.head.status.reasonPhrase
            return refused(
                phrase.isEmpty ? "\(code)" : "\(code) \(phrase)", by: response.head,
                retryAfter: headers.first(name: "Retry-After"))
        }
    }

    private func refused(_ answer: String, by head: HTTPResponseHead, retryAfter: String?) -> Step {
        .end(
            .failed(
                Failure(.httpStatus, "\(url.brief) answers \(answer)."), httpStatus: Int(head.status.code),
                retryAfter: retryAfter))
    }

    private func target(of location: String?) throws(Failure) -> HTTPSURL {
        guard redirects < Self.maximumRedirects else {
            throw Failure(.redirect, "\(request.url.brief) redirects more than \(Self.maximumRedirects) times.")
        }
        guard let location, !location.isEmpty else {
            throw Failure(.redirect, "\(url.brief) redirects without saying where to.")
        }
        let target = URL(string: location, relativeTo: URL(string: url.requestText))
        guard let target, let next = HTTPSURL(target.absoluteString) else {
            throw Failure(
                .redirect, "\(url.brief) redirects to an address that is not https, is not valid, or is too long.")
        }
        return next
    }

    /// The body without its content encoding.
    private func decoded(_ response: ReceivedResponse) throws(Failure) -> [UInt8] {
        let encoding = response.head.headers["Content-Encoding"].joined(separator: ", ")
        switch encoding.lowercased() {
        case "", "identity": return response.body
        case "gzip", "x-gzip", "deflate": break
        default:
            throw Failure(.encoding, "\(url.brief) answers with the encoding \(encoding), and promod asked for gzip.")
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
