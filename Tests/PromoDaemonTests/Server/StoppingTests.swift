import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The end of the server: what was sent is answered, and nobody keeps it from ending.
@Suite(.timeLimit(.minutes(5))) struct StoppingTests {
    @Test func withoutClientsItEndsAtOnceAndStoppingTwiceIsStoppingOnce() throws {
        let turned = try TurnedServer()
        for _ in 0..<2 { turned.stage.keeper.inbox.submit { $0.server?.stop() } }
        // Without the time in which clients might read.
        #expect(turned.run() < .milliseconds(QueryServer.stopTime))
    }

    @Test func everythingThatWasSentBeforeIsAnsweredAndThenTheConnectionsEnd() throws {
        let turned = try TurnedServer()
        let peers = try (0..<5).map { _ in try turned.connect() }
        for peer in peers { peer.send(Ask.many(50, Ask.plain) + Ask.many(5, Ask.list)) }
        turned.server.stop()
        turned.run()
        for peer in peers {
            peer.read()
            #expect(peer.marks == (Array(1...50) + Array(1...5)).map { "reply \($0)" })
            #expect(peer.isEnded)
        }
        #expect(turned.counters.connections == 0)
    }

    @Test func aPeerThatNeverReadsDelaysNoOtherAndTheEndByTwoSecondsAtMost() throws {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        deaf.send(Ask.many(300, Ask.plain))
        other.send(Ask.plain(1))
        turned.turn(10)
        turned.server.stop()
        #expect(turned.turn(untilEndOf: other))
        #expect(turned.counters.connections == 1)
        // A busy machine gets as much again.
        #expect(turned.run() < .milliseconds(2 * QueryServer.stopTime))
        #expect(turned.counters.connections == 0)
        deaf.read()
        #expect(deaf.isEnded)
        #expect(other.marks == ["reply 1"])
        #expect(deaf.count < 300)
    }

    @Test func whoHasConnectedButIsNotAcceptedIsServedBeforeTheEnd() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer()
        try turned.server.listen(on: try UnixSocket.listen(at: scratch("s")))
        let peers = try (0..<40).map { number in
            let peer = try turned.connect(to: scratch("s"))
            peer.send(Ask.plain(number))
            return peer
        }
        turned.server.stop()
        turned.run()
        for (number, peer) in peers.enumerated() {
            peer.read()
            #expect(peer.marks == ["reply \(number)"])
            #expect(peer.isEnded)
        }
        #expect(throws: TestFailure.self) { try Peer(connectingTo: scratch("s")) }
    }

    @Test func whoHasConnectedWhenItsIdleTimeEndsKeepsItServing() throws {
        let scratch = try ScratchDirectory()
        let (turned, socket) = (try TurnedServer(), ServedSocket(path: scratch("s")))
        try turned.server.listen(on: try socket.open())
        var ends = 0
        turned.server.end(afterIdle: 60_000, of: socket) { ends += 1 }
        // Both are in the socket's queue when the time ends.
        let peers = [try turned.connect(to: scratch("s")), try turned.connect(to: scratch("s"))]
        turned.stage.fireTimers()
        #expect(ends == 0)
        let later = try turned.connect(to: scratch("s"))
        for (number, peer) in (peers + [later]).enumerated() {
            peer.send(Ask.plain(number))
            #expect(turned.turn(until: peer, has: 1))
            peer.hangUp()
        }
        #expect(turned.turn { turned.counters.connections == 0 })
        turned.stage.fireTimers()
        #expect(ends > 0)
        #expect(throws: TestFailure.self) { try Peer(connectingTo: scratch("s")) }
        socket.remove()
        #expect(try DirectoryReader.names(in: scratch.path, maximum: 10) == ["s.lock"])
    }

    @Test func aSubscriberGetsTheEventsThatItIsOwedBeforeTheEnd() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        peer.send(Ask.subscribe(1) + Ask.many(100) { Ask.tap($0 + 1) })
        turned.server.stop()
        turned.run()
        peer.read()
        #expect(peer.isEnded)
        #expect(peer.marks.filter { $0.hasPrefix("event") } == (1...100).map { "event \($0)" })
        #expect(peer.marks.filter { $0.hasPrefix("reply") } == (1...101).map { "reply \($0)" })
    }

    @Test func nothingKeepsAServerWhoseClientsHaveEnded() throws {
        weak var server: QueryServer?
        weak var loop: PollLoop?
        do {
            let turned = try TurnedServer()
            (server, loop) = (turned.server, turned.server.loop)
            let peers = try (0..<4).map { _ in try turned.connect() }
            for peer in peers { peer.send(Ask.subscribe(1) + Ask.many(100, Ask.tap) + Ask.plain(1)) }
            turned.turn(3)
            peers[0].hangUp()
            turned.server.stop()
            #expect(
                turned.turn {
                    for peer in peers[1...] { peer.read() }
                    return turned.counters.connections == 0
                })
        }
        #expect(server == nil)
        #expect(loop == nil)
    }
}
