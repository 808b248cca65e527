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
        let begin = PollLoop.clock()
        for _ in 0..<2 { turned.stage.keeper.inbox.submit { $0.server?.stop() } }
        #expect(turned.run())
        #expect(turned.server.loop.timers.count >= 1)
        // Without the two seconds in which clients might read.
        #expect(PollLoop.clock() - begin < 2000)
    }

    @Test func everythingThatWasSentBeforeIsAnsweredAndThenTheConnectionsEnd() throws {
        let turned = try TurnedServer()
        let peers = try (0..<5).map { _ in try turned.connect() }
        for peer in peers { peer.send(Ask.many(50, Ask.plain) + Ask.many(5, Ask.list)) }
        turned.server.stop()
        #expect(turned.run())
        for peer in peers {
            peer.read()
            #expect(peer.marks == (Array(1...50) + Array(1...5)).map { "reply \($0)" })
            #expect(peer.isEnded)
        }
        #expect(turned.counters.connections == 0)
    }

    @Test func aPeerThatAsksNothingMoreIsNotWaitedForUntilTheLastMoment() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        peer.send(Ask.plain(1))
        turned.turn()
        let waiting = turned.server.loop.timers.count
        turned.server.stop()
        #expect(turned.turn(untilEndOf: peer))
        #expect(peer.marks == ["reply 1"])
        // The time in which those that have not read may do so is not over.
        #expect(turned.server.loop.timers.count == waiting + 1)
    }

    @Test func refusedPeersDelayNoStop() throws {
        let turned = try TurnedServer(connections: 1)
        let peers = try (0..<3).map { _ in try turned.connect() }
        peers[0].hangUp()
        #expect(turned.turn { turned.counters.connections == 0 })
        turned.server.loop.later { turned.server.stop() }
        #expect(turned.run())
        // The time in which they may read why, and that of the stop, is not over.
        #expect(turned.server.loop.timers.count >= 3)
        for peer in peers.dropFirst() { #expect(peer.count == 0 && !peer.isEnded) }
    }

    @Test func aPeerThatReadsSlowlyGetsAllItsReplies() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: Peer.smallest)
        #expect(peer.send(Ask.many(50, Ask.list)))
        turned.turn(5)
        turned.server.stop()
        #expect(
            turned.turn {
                peer.read(3000)
                return peer.isEnded
            })
        #expect(peer.marks == (1...50).map { "reply \($0)" } && peer.isAtEndOfLine)
    }

    @Test func aPeerThatNeverReadsDelaysTheEndByTwoSecondsAtMost() throws {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        deaf.send(Ask.many(300, Ask.plain))
        other.send(Ask.plain(1))
        turned.turn(10)
        turned.server.stop()
        #expect(turned.run())
        #expect(turned.counters.connections == 0)
        other.read()
        #expect(other.marks == ["reply 1"] && other.isEnded)
        deaf.read()
        #expect(deaf.isEnded && deaf.count < 300)
    }

    @Test func aRequestThatComesSoonAfterTheStopIsAnswered() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        peer.send(Ask.plain(1))
        #expect(turned.turn(until: peer, has: 1))
        turned.server.stop()
        turned.turn()
        for line in [Ask.list(2), Ask.plain(3)] { peer.send(line) }
        #expect(turned.turn(untilEndOf: peer))
        #expect(peer.marks == ["reply 1", "reply 2", "reply 3"])
    }

    @Test func whoWaitsForTheKeeperIsAnsweredWhenThatStops() throws {
        let stage = try Stage()
        let turned = try TurnedServer(stage)
        let peers = try (0..<2).map { _ in try turned.connect() }
        peers[0].send(Ask.call(1, "list", #"{"wait":true}"#))
        peers[1].send(Ask.call(1, "refresh"))
        turned.turn()
        stage.settle()
        // In the order in which the daemon stops them.
        stage.keeper.inbox.submit { $0.stop() }
        turned.stage.keeper.inbox.submit { $0.server?.stop() }
        #expect(turned.run())
        for peer in peers {
            peer.read()
            #expect(peer.marks == ["reply 1"] && peer.isEnded)
        }
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
        #expect(turned.run())
        for (number, peer) in peers.enumerated() {
            peer.read()
            #expect(peer.marks == ["reply \(number)"] && peer.isEnded)
        }
        #expect(throws: TestFailure.self) { try Peer(connectingTo: scratch("s")) }
    }

    @Test func aPeerThatEndsItsInputIsNotWaitedFor() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        // Another that has never asked has a second for its first line.
        turned.server.stop()
        turned.turn(3)
        #expect(turned.counters.connections == 1)
        peer.endInput()
        turned.turn(2)
        #expect(turned.counters.connections == 0)
    }

    @Test func aSubscriberGetsTheEventsThatItIsOwedBeforeTheEnd() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        peer.send(Ask.subscribe(1) + Ask.many(100) { Ask.tap($0 + 1) })
        turned.server.stop()
        #expect(turned.run())
        peer.read()
        #expect(peer.isEnded)
        #expect(peer.marks.filter { $0.hasPrefix("event") } == (1...100).map { "event \($0)" })
        #expect(peer.marks.filter { $0.hasPrefix("reply") } == (1...101).map { "reply \($0)" })
    }
}
