import NIOCore
import NIOHTTP1

/// Refuses responses with a status below 100. async-http-client takes their heads for informational ones, and traps when the end
/// of such a response comes.
final class StatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private var isRefused = false

    /// Adds a guard to a connection that decodes responses, on its event loop.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(StatusGuard(), position: .after(decoder))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isRefused = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        } else {
            context.fireChannelRead(data)
        }
    }
}
