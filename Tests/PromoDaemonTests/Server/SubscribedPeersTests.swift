import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Events on the connections of subscribers, between replies, and to those that do not read.
struct SubscribedPeersTests {
    private static let conversation =
        Ask.subscribe(1) + Ask.tap(2) + Ask.plain(3) + Ask.tap(4)
        + #"{"jsonrpc":"2.0","method":"tap","params":{"app":"finebill"}}"# + "\n" + Ask.list(5)
    private static let marks = [
        "reply 1", "reply 2", "event 1", "reply 3", "reply 4", "event 2", "event 3", "reply 5",
    ]

    /// Who causes events gets them after the reply, and before the next one, however slowly it sends and reads.
    @Test(arguments: [1, 100, 10_000], [nil, Peer.smallest])
    func eventsComeBetweenTheRepliesOfTheLinesThatCausedThem(piece: Int, buffer: Int32?) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: buffer)
        var rest = Array(Self.conversation.utf8)[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(peer.offer(rest.prefix(piece)))
            turned.turn()
        }
        peer.endInput()
        #expect(
            turned.turn {
                peer.read(piece)
                return peer.isEnded
            })
        #expect(peer.marks == Self.marks)
        #expect(turned.counters.connections == 0)
    }

    @Test func aSubscriptionOverTheLimitIsAnErrorAndAHangUpGivesItsPlaceBack() throws {
        let turned = try TurnedServer()
        let others = try (1..<EventHub.maximumSubscriptions).map { _ in try turned.connect() }
        for other in others {
            other.send(Ask.subscribe(1))
            #expect(turned.turn(until: other, has: 1))
        }
        let peers = try (0..<3).map { _ in try turned.connect() }
        peers[0].send(Ask.subscribe(1))
        #expect(turned.turn(until: peers[0], has: 1))
        peers[1].send(Ask.subscribe(1) + Ask.plain(2))
        #expect(turned.turn(until: peers[1], has: 2))
        #expect(peers[1].lines[0].contains(#""reason":"busy""#))
        // An existing subscription can be changed at the limit.
        peers[0].send(Ask.subscribe(2))
        #expect(turned.turn(until: peers[0], has: 2))
        #expect(!peers[0].lines[1].contains("error"))
        peers[0].hangUp()
        turned.turn()
        #expect(turned.server.events.subscribers == others.count)
        peers[2].send(Ask.subscribe(1) + Ask.tap(2))
        #expect(turned.turn(until: peers[2], has: 3))
        #expect(peers[2].marks == ["reply 1", "reply 2", "event 1"])
    }

    @Test func aSubscriberThatEndsItsInputGetsWhatItIsOwedAndThenTheEndOfTheStream() throws {
        let turned = try TurnedServer()
        let (subscriber, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        subscriber.send(Ask.subscribe(1))
        #expect(turned.turn(until: subscriber, has: 1))
        other.send(Ask.many(200, Ask.tap))
        #expect(turned.turn(until: other, has: 200))
        subscriber.endInput()
        turned.turn(5)
        #expect(
            turned.turn {
                subscriber.read(500)
                return subscriber.isEnded
            })
        #expect(subscriber.marks == ["reply 1"] + (1...200).map { "event \($0)" })
        #expect(turned.server.events.subscribers == 0)
    }

    // MARK: Falling behind

    /// Its own requests wait until it has taken the events of those before.
    @Test func aSubscriberThatReadsDoesNotFallBehindTheEventsThatItCausesItself() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: Peer.smallest)
        let host = String(repeating: "h", count: AppID.maximumLength)
        let apps = [String](repeating: #""finebill""#, count: 100).joined(separator: ",")
        let lines = Ask.many(30) { Ask.call($0 + 1, "impression", #"{"apps":[\#(apps)],"host":"\#(host)"}"#) }
        var rest = Array((Ask.subscribe(1) + lines).utf8)[...]
        #expect(
            turned.turn {
                rest = rest.dropFirst(peer.offer(rest))
                peer.read()
                return peer.isEnded || peer.count == 31 + 30 * 100
            })
        #expect(peer.marks.filter { !$0.hasPrefix("reply") } == (1...3000).map { "event \($0)" })
    }

    @Test func aSubscriberDoesNotFallBehindOnEventsThatItDidNotSelect() throws {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(), try turned.connect())
        deaf.send(Ask.subscribe(1, #"{"events":["catalog"]}"#))
        turned.turn(2)
        other.send(Ask.many(1999, Ask.tap))
        #expect(turned.turn(until: other, has: 1999))
        turned.server.events.emit([.catalog(state: .expired, generation: "g")], at: turned.stage.now)
        #expect(turned.turn(until: deaf, has: 2))
        #expect(deaf.marks == ["reply 1", "event 2000"])
    }

    @Test func aSubscriberThatDoesNotReadGetsItsEventsInOrderThenALastLineAndTheEndOfTheStream() throws {
        let turned = try TurnedServer()
        let (deaf, well, other) = (
            try turned.connect(buffer: Peer.smallest), try turned.connect(), try turned.connect()
        )
        for peer in [deaf, well] { peer.send(Ask.subscribe(1)) }
        turned.turn(2)
        var sent = 0
        // The hub drops it when it is more events behind what it was sent than are kept.
        while turned.server.events.subscribers == 2, sent < 5000 {
            other.send(Ask.many(100, Ask.tap))
            sent += 100
            #expect(turned.turn(until: other, has: sent))
            well.read()
        }
        #expect(turned.turn(until: well, has: sent + 1))
        #expect(well.marks == ["reply 1"] + (1...sent).map { "event \($0)" })
        // It has a minute to read, and then keeps no place any more.
        #expect(turned.counters.connections == 3)
        #expect(turned.turn(untilEndOf: deaf))
        let last = try #require(Int(deaf.marks.last?.dropFirst("lagged ".count) ?? ""))
        #expect(deaf.marks == ["reply 1"] + (1...max(last, 1)).map { "event \($0)" } + ["lagged \(last)"])
        #expect((EventLog.capacity + 1...EventLog.capacity * 5 / 4 + 100).contains(sent - last))
        deaf.hangUp()
        turned.turn(2)
        #expect(turned.counters.connections == 2)
    }
}
