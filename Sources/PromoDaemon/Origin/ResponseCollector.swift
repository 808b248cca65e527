import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// A whole response.
struct ReceivedResponse: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]
}

/// The answer has no body that is wanted; nothing that is wrong with one may hide its head.
struct HeadIsEnough: Error {
    let head: HTTPResponseHead
}

/// The body is larger than the limit.
struct BodyTooLarge: Error {
    let limit: Int
}

/// Gathers a response, and gives up as soon as it is larger than the limit.
final class ResponseCollector: HTTPClientResponseDelegate {
    private let maximumBytes: Int
    private let response = Mutex(ReceivedResponse(head: HTTPResponseHead(version: .http1_1, status: .ok), body: []))

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    func didReceiveHead(task: HTTPClient.Task<ReceivedResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        guard head.status == .ok else { return task.eventLoop.makeFailedFuture(HeadIsEnough(head: head)) }
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
