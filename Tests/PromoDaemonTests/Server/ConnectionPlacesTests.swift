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

    @Test func whoIsNotKnownToBeTheUserIsCutOffAndLogged() throws {
        let turned = try TurnedServer()
        // The kernel names no peer of a pipe.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        turned.server.admit(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
        #expect(turned.log.messages == ["A connection from another user was refused"])
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

    @Test func ifAcceptingFailsThatIsSaidOnceAndWaitsForATimerUnlessTheServerStops() throws {
        let scratch = try ScratchDirectory()
        let turned = try TurnedServer()
        let loop = turned.server.loop
        let descriptor = try UnixSocket.listen(at: scratch("s"))
        try turned.server.listen(on: descriptor)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && dup2(ends[0], descriptor) >= 0)
        for end in ends { close(end) }
        let waiting = loop.timers.count
        for _ in 0..<10 { turned.server.accept(from: descriptor) }
        #expect(loop.timers.count == waiting + 1 && turned.log.messages.count == 1)
        turned.server.stop()
        // That of the stop has taken its place.
        #expect(loop.timers.count == waiting + 1)
    }
}
