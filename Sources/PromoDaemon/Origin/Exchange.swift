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
        var task: HTTPClient.Task<ReceivedResponse>?
        var isCancelled = false
    }

    private static let maximumRedirects = 5

    private let client: HTTPClient
    private let request: OriginRequest
    private let deadline: NIODeadline
    private let completion: @Sendable (OriginReply) -> Void
    private let state = Mutex(State())

    init(client: HTTPClient, request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void) {
        self.client = client
        self.request = request
        self.completion = completion
        deadline = .now() + .milliseconds(request.timeout.milliseconds)
    }

    func begin() {
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
            etag: Self.short(headers.first(name: "ETag")),
            lastModified: Self.short(headers.first(name: "Last-Modified")))
        switch response.head.status.code {
        case 200:
            if let encoding = headers.first(name: "Content-Encoding"), !Self.understood.contains(encoding.lowercased())
            {
                fail(Failure(.encoding, "\(url) answers with the encoding \(encoding), and promod asked for gzip."))
            } else {
                completion(.body(response.body, validators))
            }
        case 304 where request.validators.isEmpty:
            fail(Failure(.httpStatus, "\(url) answers 304, unchanged, to a request without conditions."), status: 304)
        case 304:
            completion(.notModified(validators))
        case 301, 302, 303, 307, 308:
            follow(headers.first(name: "Location"), from: url, redirects: redirects)
        case let code:
            fail(
                Failure(.httpStatus, "\(url) answers \(code) \(response.head.status.reasonPhrase)."), status: Int(code),
                retryAfter: headers.first(name: "Retry-After"))
        }
    }

    private func follow(_ location: String?, from url: HTTPSURL, redirects: Int) {
        guard redirects < Self.maximumRedirects else {
            return fail(Failure(.redirect, "\(request.url) redirects more than \(Self.maximumRedirects) times."))
        }
        guard let location, let target = URL(string: location, relativeTo: URL(string: url.requestText)) else {
            return fail(Failure(.redirect, "\(url) redirects without saying where to."))
        }
        guard let next = HTTPSURL(target.absoluteString) else {
            return fail(Failure(.redirect, "\(url) redirects to an address that is not https."))
        }
        send(to: next, redirects: redirects + 1)
    }

    private func fail(_ failure: Failure, status: Int? = nil, retryAfter: String? = nil) {
        completion(.failed(failure, httpStatus: status, retryAfter: retryAfter))
    }

    /// What the client decompressed, or had no need to.
    private static let understood: Set = ["gzip", "deflate", "identity"]

    /// A validator is kept on disk and sent back each time; one that is absurdly long is done without.
    private static func short(_ value: String?) -> String? {
        value.flatMap { $0.utf8.count <= 1024 ? $0 : nil }
    }
}
