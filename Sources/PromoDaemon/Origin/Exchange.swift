import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PromoCore
import PromoWire
import Synchronization

/// One fetch: a request and those to which redirects lead, within one deadline.
final class Exchange: Sendable {
    private struct State {
        var client: HTTPClient?
        var task: HTTPClient.Task<ReceivedResponse>?
        var isCancelled = false
    }

    private static let maximumRedirects = 5

    let request: OriginRequest
    private let deadline: NIODeadline
    private let completion: @Sendable (OriginReply, HTTPClient?) -> Void
    private let state = Mutex(State())

    /// An exchange whose deadline counts from now on.
    /// - Parameter completion: called once with the reply, and with the client that it took if it began.
    init(_ request: OriginRequest, completion: @escaping @Sendable (OriginReply, HTTPClient?) -> Void) {
        self.request = request
        self.completion = completion
        deadline = .now() + .milliseconds(request.timeout.milliseconds)
    }

    /// Sends the request.
    func begin(with client: HTTPClient) {
        state.withLock { $0.client = client }
        send(to: request.url, redirects: 0)
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.fail(reason: HTTPClientError.cancelled)
    }

    private func send(to url: HTTPSURL, redirects: Int) {
        guard let client = state.withLock({ $0.client }) else { return }
        do {
            let httpRequest = try HTTPClient.Request(url: url.requestText, method: .GET, headers: headers(for: url))
            let collector = ResponseCollector(maximumBytes: request.maximumBytes)
            let task = client.execute(request: httpRequest, delegate: collector, deadline: deadline)
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.fail(reason: HTTPClientError.cancelled) }
            task.futureResult.whenComplete { self.received($0, from: url, redirects: redirects) }
        } catch {
            fail(FetchFailures.failure(for: error, url: url))
        }
    }

    private func headers(for url: HTTPSURL) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "User-Agent": "promod/\(Version.current)", "Accept": "application/json", "Accept-Encoding": "gzip",
        ]
        if let etag = request.validators.etag { headers.add(name: "If-None-Match", value: etag) }
        if let date = request.validators.lastModified { headers.add(name: "If-Modified-Since", value: date) }
        // Credentials belong to the address that the user wrote, and to no host that it sends us to.
        if let credentials = request.url.credentials, url.hasSameOrigin(as: request.url) {
            headers.add(name: "Authorization", value: "Basic \(Data(credentials.utf8).base64EncodedString())")
        }
        return headers
    }

    private func received(_ result: Result<ReceivedResponse, any Error>, from url: HTTPSURL, redirects: Int) {
        let response: ReceivedResponse
        switch result {
        case .success(let received): response = received
        case .failure(let error as HeadIsEnough): response = ReceivedResponse(head: error.head, body: [])
        case .failure(let error): return fail(FetchFailures.failure(for: error, url: url))
        }
        let headers = response.head.headers
        let validators = Validators(
            received: headers.first(name: "ETag"), lastModified: headers.first(name: "Last-Modified"))
        switch response.head.status.code {
        case 200:
            do {
                end(with: .body(try decoded(response, from: url), validators))
            } catch {
                fail(error)
            }
        case 304 where request.validators.isEmpty:
            fail(
                Failure(.httpStatus, "\(url.brief) answers 304, unchanged, to a request without conditions."),
                status: 304)
        case 304:
            end(with: .notModified(validators))
        case 301, 302, 303, 307, 308:
            follow(headers.first(name: "Location"), from: url, redirects: redirects)
        case let code:
            fail(
                Failure(.httpStatus, "\(url.brief) answers \(code) \(response.head.status.reasonPhrase)."),
                status: Int(code),
                retryAfter: headers.first(name: "Retry-After"))
        }
    }

    private func follow(_ location: String?, from url: HTTPSURL, redirects: Int) {
        guard redirects < Self.maximumRedirects else {
            return fail(Failure(.redirect, "\(request.url.brief) redirects more than \(Self.maximumRedirects) times."))
        }
        guard let location, let target = URL(string: location, relativeTo: URL(string: url.requestText)) else {
            return fail(Failure(.redirect, "\(url.brief) redirects without saying where to."))
        }
        guard let next = HTTPSURL(target.absoluteString) else {
            return fail(Failure(.redirect, "\(url.brief) redirects to an address that is not https."))
        }
        send(to: next, redirects: redirects + 1)
    }

    /// The body without its content encoding.
    private func decoded(_ response: ReceivedResponse, from url: HTTPSURL) throws(Failure) -> [UInt8] {
        let encoding = response.head.headers.first(name: "Content-Encoding")
        switch encoding?.lowercased() {
        case nil, "identity": return response.body
        case "gzip", "x-gzip", "deflate": break
        default:
            throw Failure(
                .encoding, "\(url.brief) answers with the encoding \(encoding ?? ""), and promod asked for gzip.")
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

    /// Ends with a failure, which may come before the exchange has begun.
    func fail(_ failure: Failure, status: Int? = nil, retryAfter: String? = nil) {
        end(with: .failed(failure, httpStatus: status, retryAfter: retryAfter))
    }

    private func end(with reply: OriginReply) {
        completion(reply, state.withLock { $0.client })
    }
}
