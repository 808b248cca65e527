import NIOCore

/// Stops accepting for a second where it fails, as it does at once and again while there are no descriptors.
///
/// NIO's own handler holds reads back, but after an error the listening socket stays registered, and the loop spins.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = Channel

    private static let pause = TimeAmount.seconds(1)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: Self.pause) { channel.setOption(.autoRead, value: true) }
        }
    }
}
