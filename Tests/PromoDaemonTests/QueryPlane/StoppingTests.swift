import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The end of the server: what was sent is answered, and nobody keeps it from ending.
@Suite(.timeLimit(.minutes(5))) struct StoppingTests {
    @Test func withoutClientsItEndsAtOnceAndStoppingTwiceIsStoppingOnce() throws {
        let plane = try TurnedServer()
        let begin = PollLoop.clock()
        for _ in 0..<2 { plane.inbox.submit { $0.stop() } }
        #expect(plane.run())
        #expect(plane.server.loop.waiting >= 1)
        // Without the two seconds in which clients might read.
        #expect(PollLoop.clock() - begin < 2000)
    }

    @Test func everythingThatWasSentBeforeIsAnsweredAndThenTheConnectionsEnd() throws {
        let plane = try TurnedServer()
        let peers = try (0..<5).map { _ in try plane.connect() }
        for peer in peers { peer.send(Ask.many(50, Ask.status) + Ask.many(5, Ask.list)) }
        plane.server.stop()
        #expect(plane.run())
        for peer in peers {
            peer.read()
            #expect(peer.marks == (Array(1...50) + Array(1...5)).map { "reply \($0)" })
            #expect(peer.isEnded)
        }
        #expect(plane.counters.connections == 0)
    }

    @Test func aPeerThatAsksNothingMoreIsNotWaitedForUntilTheLastMoment() throws {
        let plane = try TurnedServer()
        let peer = try plane.connect()
        peer.send(Ask.status(1))
        plane.turn()
        #expect(plane.server.loop.waiting == 0)
        plane.server.stop()
        #expect(plane.turn(untilEndOf: peer))
        #expect(peer.marks == ["reply 1"])
        // The time in which those that have not read may do so is not over.
        #expect(plane.server.loop.waiting == 1)
    }

    @Test func aPeerThatReadsSlowlyGetsAllItsReplies() throws {
        let plane = try TurnedServer()
        let peer = try plane.connect(buffer: Peer.smallest)
        #expect(peer.send(Ask.many(50, Ask.list)))
        plane.turn(5)
        plane.server.stop()
        #expect(
            plane.turn {
                peer.read(3000)
                return peer.isEnded
            })
        #expect(peer.marks == (1...50).map { "reply \($0)" } && peer.isAtEndOfLine)
    }

    @Test func aPeerThatNeverReadsDelaysTheEndByTwoSecondsAtMost() throws {
        let plane = try TurnedServer()
        let (deaf, other) = (try plane.connect(buffer: Peer.smallest), try plane.connect())
        deaf.send(Ask.many(300, Ask.status))
        other.send(Ask.status(1))
        plane.turn(10)
        plane.server.stop()
        #expect(plane.run())
        #expect(plane.counters.connections == 0)
        other.read()
        #expect(other.marks == ["reply 1"] && other.isEnded)
        deaf.read()
        #expect(deaf.isEnded && deaf.count < 300)
    }

    @Test func aRequestThatComesSoonAfterTheStopIsAnswered() throws {
        let plane = try TurnedServer()
        let peer = try plane.connect()
        peer.send(Ask.status(1))
        #expect(plane.turn(until: peer, has: 1))
        plane.server.stop()
        plane.turn()
        for line in [Ask.list(2), Ask.status(3)] { peer.send(line) }
        #expect(plane.turn(untilEndOf: peer))
        #expect(peer.marks == ["reply 1", "reply 2", "reply 3"])
    }

    @Test func whoWaitsForTheControlPlaneIsAnsweredWhenThatStops() throws {
        let stage = try Stage()
        let plane = try TurnedServer(stage)
        let peers = try (0..<2).map { _ in try plane.connect() }
        peers[0].send(Ask.call(1, "list", #"{"wait":true}"#))
        peers[1].send(Ask.call(1, "refresh"))
        plane.turn()
        stage.settle()
        // In the order in which the daemon stops them.
        stage.plane.inbox.submit { $0.stop() }
        plane.inbox.submit { $0.stop() }
        #expect(plane.run())
        for peer in peers {
            peer.read()
            #expect(peer.marks == ["reply 1"] && peer.isEnded)
        }
    }

    @Test func whoHasConnectedButIsNotAcceptedIsServedBeforeTheEnd() throws {
        let scratch = try ScratchDirectory()
        let plane = try TurnedServer()
        try plane.server.listen(on: try UnixSocket.listen(at: scratch("s")))
        let peers = try (0..<40).map { number in
            let peer = try plane.connect(to: scratch("s"))
            peer.send(Ask.status(number))
            return peer
        }
        plane.server.stop()
        #expect(plane.run())
        for (number, peer) in peers.enumerated() {
            peer.read()
            #expect(peer.marks == ["reply \(number)"] && peer.isEnded)
        }
        #expect(throws: TestFailure.self) { try Peer(connectingTo: scratch("s")) }
    }

    @Test func aPeerThatEndsItsInputIsNotWaitedFor() throws {
        let plane = try TurnedServer()
        let peer = try plane.connect()
        // Another that has never asked has a second for its first line.
        plane.server.stop()
        plane.turn(3)
        #expect(plane.counters.connections == 1)
        peer.endInput()
        plane.turn(2)
        #expect(plane.counters.connections == 0)
    }

    @Test func aSubscriberGetsTheEventsThatItIsOwedBeforeTheEnd() throws {
        let plane = try TurnedServer()
        let peer = try plane.connect()
        peer.send(Ask.subscribe(1) + Ask.many(100) { Ask.tap($0 + 1) })
        plane.server.stop()
        #expect(plane.run())
        peer.read()
        #expect(peer.isEnded)
        #expect(peer.marks.filter { $0.hasPrefix("event") } == (1...100).map { "event \($0)" })
        #expect(peer.marks.filter { $0.hasPrefix("reply") } == (1...101).map { "reply \($0)" })
    }
}
