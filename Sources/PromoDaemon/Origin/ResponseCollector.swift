import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// A whole response.
struct ReceivedResponse: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]
}

/// Ends a request whose body is not needed, so that nothing wrong with the body can hide the head.
struct HeadIsEnough: Error {
    let head: HTTPResponseHead
}

/// The body is larger than the limit.
struct BodyTooLarge: Error {
    let limit: Int
}

/// Collects a response, and fails as soon as its body is larger than the limit.
final class ResponseCollector: HTTPClientResponseDelegate {
    private struct State {
        var response = ReceivedResponse(head: HTTPResponseHead(version: .http1_1, status: .ok), body: [])
        var isConnected = false
    }

    private let maximumBytes: Int
    private let state = Mutex(State())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Whether there was a connection on which the request was sent.
    var isConnected: Bool { state.withLock { $0.isConnected } }

    func didSendRequestHead(task: HTTPClient.Task<ReceivedResponse>, _ head: HTTPRequestHead) {
        state.withLock { $0.isConnected = true }
    }

    func didReceiveHead(task: HTTPClient.Task<ReceivedResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        guard head.status == .ok else { return task.eventLoop.makeFailedFuture(HeadIsEnough(head: head)) }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= maximumBytes else { return task.eventLoop.makeFailedFuture(BodyTooLarge(limit: maximumBytes)) }
        state.withLock { $0.response.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<ReceivedResponse>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let isTooLarge = state.withLock { state in
            state.response.body.append(contentsOf: buffer.readableBytesView)
            return state.response.body.count > maximumBytes
        }
        return isTooLarge
            ? task.eventLoop.makeFailedFuture(BodyTooLarge(limit: maximumBytes))
            : task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<ReceivedResponse>) throws -> ReceivedResponse {
        state.withLock { $0.response }
    }
}
