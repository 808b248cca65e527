import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Who gets a place, who is refused, and when a place is free again.
struct ConnectionPlacesTests {
    @Test func thoseOverTheLimitGetOneErrorAndTakeNoPlaceAndFurtherOnesAreClosed() throws {
        let turned = try TurnedServer(connections: 2)
        let served = try (0..<2).map { _ in try turned.connect() }
        let refused = try (0..<QueryServer.maximumRefusals + 2).map { _ in try turned.connect() }
        for peer in served + refused { peer.send(Ask.plain(1)) }
        turned.turn(2)
        for peer in served + refused { peer.read() }
        #expect(served.map(\.marks) == [["reply 1"], ["reply 1"]])
        #expect(served.allSatisfy { !$0.isEnded })
        #expect(refused.allSatisfy { $0.isEnded })
        #expect(refused.map(\.count) == Array(repeating: 1, count: QueryServer.maximumRefusals) + [0, 0])
        #expect(refused[0].text.contains(#""reason":"busy""#))
        #expect(refused[0].text.contains("All 2 connections are in use (socket.max-connections)"))
        #expect(turned.counters.connections == 2)
        served[0].hangUp()
        #expect(turned.turn { turned.counters.connections == 1 })
        let next = try turned.connect()
        next.send(Ask.plain(1))
        #expect(turned.turn(until: next, has: 1))
        #expect(next.marks == ["reply 1"])
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
        try #require(pipe(&ends) == 0)
        try #require(dup2(ends[0], descriptor) >= 0)
        for end in ends { close(end) }
        let waiting = loop.timers.count
        for _ in 0..<10 { turned.server.accept(from: descriptor) }
        #expect(loop.timers.count == waiting + 1)
        #expect(turned.log.messages.count == 1)
        turned.server.stop()
        // That of the stop has taken its place.
        #expect(loop.timers.count == waiting + 1)
    }
}
