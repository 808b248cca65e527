import Glibc
package import Logging
package import NIOCore
import NIOPosix
package import PromoCore
package import PromoWire

/// Serves the query plane on a listening socket.
package final class Server: Sendable {
    /// What belongs to the event loop alone.
    private final class State {
        let plane: QueryPlane
        var connections: [ObjectIdentifier: ConnectionHandler] = [:]
        var refused = 0
        var listener: (any Channel)?
        var isStopping = false
        var whenEmpty: (() -> Void)?

        init(plane: QueryPlane) {
            self.plane = plane
        }
    }

    /// How long a stopping daemon waits for clients to read their replies.
    private static let stopTime = TimeAmount.seconds(2)

    private let group: any EventLoopGroup
    private let eventLoop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let limits: ServerLimits
    private let logger: Logger

    /// A server that does not listen yet.
    package init(
        group: any EventLoopGroup, refreshPlane: RefreshPlane, responder: Responder, publication: Publication,
        limits: ServerLimits, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.group = group
        let eventLoop = group.next()
        self.eventLoop = eventLoop
        self.logger = logger
        self.limits = limits
        state = NIOLoopBoundBox.makeBoxSendingValue(
            State(
                plane: QueryPlane(
                    eventLoop: eventLoop, refreshPlane: refreshPlane, responder: responder, publication: publication,
                    limits: limits, now: now, logger: logger)), eventLoop: eventLoop)
        let state = state
        publication.observe { snapshot in
            eventLoop.execute { state.value.plane.published(snapshot) }
        }
    }

    /// Listens on a bound descriptor, and returns when it does.
    package func start(descriptor: Int32) throws {
        let listener = try ServerBootstrap(group: eventLoop)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            // What a client that does not read may hold, beside the piece that is over it.
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
            .childChannelInitializer { channel in self.admit(channel) }
            .withBoundSocket(descriptor)
            .wait()
        // NIO listens with a backlog of 128, also on a socket that systemd gave a longer one.
        listen(descriptor, SOMAXCONN)
        try eventLoop.submit { self.state.value.listener = listener }.wait()
    }

    /// Calls back from the event loop, when it has got to it.
    package func whenTurned(_ completed: @escaping @Sendable () -> Void) {
        eventLoop.execute(completed)
    }

    /// Accepts no more, answers what was asked, and calls back when all connections are closed, after 2 s at most.
    package func stop(completion: @escaping @Sendable () -> Void) {
        eventLoop.execute {
            let state = self.state.value
            state.isStopping = true
            state.listener?.close(promise: nil)
            for handler in Array(state.connections.values) { handler.stop() }
            // Later, because a connection that was accepted just now may still be on its way to the others.
            self.eventLoop.execute {
                self.state.value.whenEmpty = completion
                self.finishIfEmpty()
            }
            self.eventLoop.scheduleTask(in: Self.stopTime) {
                self.state.value.connections = [:]
                self.finishIfEmpty()
            }
        }
    }

    // MARK: Connections

    /// Lets a connection in: the daemon's own user alone, and no more than the limit.
    private func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
        PeerCredentials.userID(of: channel).flatMapThrowing { user in
            let state = self.state.value
            guard user == getuid() else {
                state.plane.counters.refused += 1
                self.logger.log(
                    .peerRefused, "A connection of another user was turned away", ["uid": "\(user)"])
                throw ChannelError.operationUnsupported
            }
            let handler: ConnectionHandler
            let limit = self.limits.connections
            if state.connections.count < limit {
                handler = ConnectionHandler(plane: state.plane)
                state.connections[ObjectIdentifier(channel)] = handler
                state.plane.counters.connections = state.connections.count
            } else {
                state.plane.counters.refused += 1
                guard state.refused < ServerLimits.maximumRefusals else { throw ChannelError.operationUnsupported }
                state.refused += 1
                handler = ConnectionHandler(
                    plane: state.plane,
                    refusal: RequestError(
                        .busy, "All \(limit) connections are taken (socket.max-connections); try later."))
            }
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.closeFuture.whenComplete { _ in self.closed(channel) }
            if state.isStopping { handler.stop() }
        }
    }

    private func closed(_ channel: any Channel) {
        let state = state.value
        if state.connections.removeValue(forKey: ObjectIdentifier(channel)) == nil { state.refused -= 1 }
        state.plane.counters.connections = state.connections.count
        finishIfEmpty()
    }

    private func finishIfEmpty() {
        let state = state.value
        guard state.connections.isEmpty, let whenEmpty = state.whenEmpty else { return }
        state.whenEmpty = nil
        whenEmpty()
    }
}
