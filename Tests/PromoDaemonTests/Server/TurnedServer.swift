import Glibc
import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// A query server whose loop the test turns by hand, with scripted peers.
final class TurnedServer {
    /// The keeper, with its origin and its clock.
    let stage: Stage
    /// The server itself.
    let server: QueryServer
    /// What the server logs.
    let log = CollectedLog()
    private var peers: [Peer] = []

    /// A server without clients; it serves the sample unless the test gives it a stage.
    init(_ stage: Stage? = nil, connections: Int = Configuration().maximumConnections) throws {
        let stage = try stage ?? Stage(url: "sample", connections: connections)
        var status = StatusResult()
        (status.epoch, status.startedAt) = ("now", stage.now)
        server = QueryServer(
            keeper: stage.keeper,
            responder: Responder(language: .en, status: status) { true },
            now: stage.clock, logger: log.logger)
        self.stage = stage
    }

    deinit {
        // A client and its server hold each other until the client ends.
        for peer in peers { peer.hangUp() }
        turn(4)
    }

    /// What a status counts.
    var counters: (connections: Int, requests: [String: Int]) {
        (server.connections, server.responder.status.requests)
    }

    /// Connects a peer over a socket pair.
    /// - Parameter buffer: about how many bytes of replies the kernel holds; nil for its own default.
    func connect(buffer: Int32? = nil) throws -> Peer {
        let (peer, end) = try Peer.pair(buffer: buffer)
        server.admit(end)
        peers.append(peer)
        return peer
    }

    /// Connects a peer to a listening socket.
    func connect(to path: String) throws -> Peer {
        let peer = try Peer(connectingTo: path)
        peers.append(peer)
        return peer
    }

    /// Turns the loop: what is ready now is handled, and nothing is waited for.
    func turn(_ rounds: Int = 1) {
        let loop = server.loop
        for _ in 0..<rounds {
            loop.later { loop.stop() }
            loop.run()
        }
    }

    /// Turns the loop until a condition holds; false if it does not within a minute.
    func turn(until isDone: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        var rounds = 0
        while !isDone() {
            guard ContinuousClock.now < end else { return false }
            turn()
            rounds += 1
            // What has not come by now waits for a timer or another thread.
            if rounds > 1000, rounds.isMultiple(of: 16) { poll(nil, 0, 1) }
        }
        return true
    }

    /// Turns the loop and lets a peer read until it has a number of lines; false if they do not come within a minute.
    func turn(until peer: Peer, has lines: Int) -> Bool {
        turn {
            peer.read()
            return peer.count >= lines
        }
    }

    /// Turns the loop and lets a peer read until its connection has ended; false if it does not within a minute.
    func turn(untilEndOf peer: Peer) -> Bool {
        turn {
            peer.read()
            return peer.isEnded
        }
    }

    /// Runs the loop as the daemon does, until it ends by itself, but at most a minute.
    /// - Returns: how long that took.
    @discardableResult
    func run() -> Duration {
        let guardian = server.loop.schedule(at: PollLoop.clock() + 60_000) { [loop = server.loop] in
            Issue.record("the loop has not ended within a minute")
            loop.stop()
        }
        defer { server.loop.cancel(guardian) }
        return ContinuousClock().measure { server.run() }
    }
}
