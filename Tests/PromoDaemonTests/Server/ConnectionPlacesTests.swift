import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Who gets a place, who is refused, and when a place is free again.
struct ConnectionPlacesTests {
    @Test func oneOverTheLimitGetsOneErrorAndTheEndOfTheStream() throws {
        let turned = try TurnedServer(connections: 2)
        let peers = try (0..<3).map { _ in try turned.connect() }
        for peer in peers { peer.send(Ask.plain(1)) }
        turned.turn(2)
        for peer in peers { peer.read() }
        #expect(peers[2].isEnded)
        #expect(peers[2].count == 1 && peers[2].text.contains(#""reason":"busy""#), "\(peers[2].text)")
        #expect(peers[2].text.contains("All 2 connections are in use (socket.max-connections)"))
        for peer in peers[..<2] { #expect(peer.marks == ["reply 1"] && !peer.isEnded) }
        #expect(turned.counters.connections == 2)
    }

    @Test func theErrorNamesTheOnlyConnection() throws {
        let turned = try TurnedServer(connections: 1)
        let peers = try (0..<2).map { _ in try turned.connect() }
        #expect(turned.turn(untilEndOf: peers[1]))
        #expect(peers[1].text.contains("The only connection is in use"))
    }

    @Test func aHangUpIsSeenBeforeTheNextConnectionIsAccepted() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer(connections: 1)
        try turned.server.listen(on: try UnixSocket.listen(at: scratch("s")))
        var last: Peer?
        for number in 0..<50 {
            last?.hangUp()
            let peer = try turned.connect(to: scratch("s"))
            peer.send(number.isMultiple(of: 2) ? Ask.list(1) : Ask.plain(1))
            #expect(turned.turn(until: peer, has: 1))
            #expect(peer.marks == ["reply 1"], "\(number): \(peer.text)")
            last = peer
        }
    }

    @Test func refusedPeersTakeNoPlaceAndThoseBeyondTheirLimitAreClosed() throws {
        let turned = try TurnedServer(connections: 1)
        let first = try turned.connect()
        let refused = try (0..<QueryServer.maximumRefusals + 2).map { _ in try turned.connect() }
        for peer in refused { peer.read() }
        #expect(refused.allSatisfy { $0.isEnded })
        #expect(refused.map(\.count) == Array(repeating: 1, count: QueryServer.maximumRefusals) + [0, 0])
        #expect(turned.counters.connections == 1)
        first.hangUp()
        #expect(turned.turn { turned.counters.connections == 0 })
        let served = try turned.connect()
        served.send(Ask.plain(1))
        #expect(turned.turn(until: served, has: 1))
        #expect(served.marks == ["reply 1"])
    }

    /// Else its next write would fail, and it might not read why.
    @Test func aRefusedPeerCanStillWriteForTwoSeconds() throws {
        let turned = try TurnedServer(connections: 1)
        let peers = try (0..<2).map { _ in try turned.connect() }
        let begin = PollLoop.clock()
        #expect(peers[1].offer([0]) == 1)
        #expect(turned.turn { turned.server.loop.timers.count == 0 })
        #expect(PollLoop.clock() - begin >= 1000)
        #expect(peers[1].offer([0]) == 0)
        peers[1].read()
        #expect(peers[1].count == 1 && peers[1].text.contains("busy"))
    }

    /// It fails with EPIPE at once: the peer is gone before it is refused.
    @Test func aRefusedPeerThatIsGoneAlreadyIsForgottenToo() throws {
        let turned = try TurnedServer(connections: 1)
        let first = try turned.connect()
        for _ in 0..<3 * QueryServer.maximumRefusals {
            let (peer, end) = try Peer.pair()
            peer.hangUp()
            turned.server.admit(end)
        }
        let next = try turned.connect()
        next.read()
        #expect(next.count == 1)
        first.send(Ask.plain(1))
        #expect(turned.turn(until: first, has: 1))
    }

    @Test func whoIsNotKnownToBeTheUserIsCutOffAndLogged() throws {
        let turned = try TurnedServer()
        // The kernel names no peer of a pipe.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        turned.server.admit(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
        #expect(turned.log.messages == ["A connection of another user was refused"])
    }

    // MARK: Listening

    @Test func allThatConnectAtOnceAreAcceptedAndServed() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer()
        try turned.server.listen(on: try UnixSocket.listen(at: scratch("s")))
        let peers = try (0..<100).map { number in
            let peer = try turned.connect(to: scratch("s"))
            peer.send(Ask.plain(number))
            return peer
        }
        turned.turn()
        // Those that are there are served between those that come.
        #expect((1..<100).contains(turned.counters.connections))
        for (number, peer) in peers.enumerated() {
            #expect(turned.turn(until: peer, has: 1))
            #expect(peer.marks == ["reply \(number)"])
        }
        #expect(turned.counters.connections == 100)
    }

    @Test func aPeerThatIsGoneBeforeItIsAcceptedHarmsNobody() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer(connections: 1)
        try turned.server.listen(on: try UnixSocket.listen(at: scratch("s")))
        for _ in 0..<40 { try turned.connect(to: scratch("s")).hangUp() }
        #expect(turned.turn { turned.counters.requests.isEmpty && turned.counters.connections == 0 })
        turned.turn(10)
        let peer = try turned.connect(to: scratch("s"))
        peer.send(Ask.plain(1))
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.marks == ["reply 1"])
    }

    @Test func ifAcceptingFailsThatIsSaidOnceAndTriedAgainOnlyASecondLater() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer()
        let (server, loop) = (turned.server, turned.server.loop)
        let descriptor = try UnixSocket.listen(at: scratch("s"))
        try server.listen(on: descriptor)
        for round in 1...2 {
            // What takes its place is no socket, so that accept(2) fails.
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0 && dup2(ends[0], descriptor) >= 0)
            for end in ends { close(end) }
            // The loop's time is that of its last wait.
            let begin = loop.now
            for _ in 0..<10 { server.accept(from: descriptor) }
            #expect(turned.log.messages.count == round)
            let other = try UnixSocket.listen(at: scratch("t\(round)"))
            try #require(fcntl(other, F_SETFL, O_NONBLOCK) == 0 && dup2(other, descriptor) >= 0)
            close(other)
            let peer = try turned.connect(to: scratch("t\(round)"))
            peer.send(Ask.plain(1))
            #expect(turned.turn(until: peer, has: 1))
            #expect(PollLoop.clock() - begin >= 1000)
        }
        server.stop()
        #expect(loop.timers.count >= 1)
    }

    @Test func whoIsStoppedDoesNotListenAgainAfterAFailure() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer()
        let loop = turned.server.loop
        let descriptor = try UnixSocket.listen(at: scratch("s"))
        try turned.server.listen(on: descriptor)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && dup2(ends[0], descriptor) >= 0)
        for end in ends { close(end) }
        let waiting = loop.timers.count
        turned.server.accept(from: descriptor)
        #expect(loop.timers.count == waiting + 1)
        turned.server.stop()
        // That of the stop has taken its place.
        #expect(loop.timers.count == waiting + 1)
    }
}
