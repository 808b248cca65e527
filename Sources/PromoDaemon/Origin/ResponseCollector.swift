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
    private let maximumBytes: Int
    private let response = Mutex(ReceivedResponse(head: HTTPResponseHead(version: .http1_1, status: .ok), body: []))
    private let isConnectedState = Mutex(false)

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Whether there was a connection on which the request was sent.
    var isConnected: Bool { isConnectedState.withLock { $0 } }

    func didSendRequestHead(task: HTTPClient.Task<ReceivedResponse>, _ head: HTTPRequestHead) {
        isConnectedState.withLock { $0 = true }
    }

    func didReceiveHead(task: HTTPClient.Task<ReceivedResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        guard head.status == .ok else { return task.eventLoop.makeFailedFuture(HeadIsEnough(head: head)) }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= maximumBytes else { return task.eventLoop.makeFailedFuture(BodyTooLarge(limit: maximumBytes)) }
        response.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<ReceivedResponse>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let isTooLarge = response.withLock { response in
            response.body.append(contentsOf: buffer.readableBytesView)
            return response.body.count > maximumBytes
        }
        return isTooLarge
            ? task.eventLoop.makeFailedFuture(BodyTooLarge(limit: maximumBytes))
            : task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<ReceivedResponse>) throws -> ReceivedResponse {
        response.withLock { $0 }
    }
}
