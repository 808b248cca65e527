import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Events on the connections of subscribers, between replies, and to those that do not read.
struct SubscribedPeersTests {
    private static let conversation =
        Ask.subscribe(1) + Ask.tap(2) + Ask.plain(3)
        + "[" + [4, 5].map { Ask.tap($0).dropLast() }.joined(separator: ",") + "]\n"
        + #"{"jsonrpc":"2.0","method":"tap","params":{"app":"finebill"}}"# + "\n" + Ask.list(6)
    private static let marks = [
        "reply 1", "reply 2", "event 1", "reply 3", "batch 4 5", "event 2", "event 3", "event 4", "reply 6",
    ]

    /// Who causes events gets them after the reply, and before the next one.
    @Test(arguments: [1, 10, 100, 10_000])
    func eventsComeBetweenTheRepliesOfTheLinesThatCausedThem(piece: Int) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        var rest = Array(Self.conversation.utf8)[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(peer.offer(rest.prefix(piece)))
            turned.turn()
        }
        #expect(turned.turn(until: peer, has: Self.marks.count))
        #expect(peer.marks == Self.marks)
    }

    @Test(arguments: [1, 1000])
    func theyComeInThatOrderAlsoToAPeerThatReadsSlowly(piece: Int) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: Peer.smallest)
        #expect(peer.send(Self.conversation))
        peer.endInput()
        #expect(
            turned.turn {
                peer.read(piece)
                return peer.isEnded
            })
        #expect(peer.marks == Self.marks)
        #expect(turned.counters.connections == 0)
    }

    @Test(arguments: [nil, Peer.smallest])
    func eventsWaitForTheEndOfALargeBatchThatCausedThem(buffer: Int32?) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: buffer)
        let calls = (2...41).map { ($0 % 4 == 0 ? Ask.tap($0) : Ask.call($0, "rpc.discover")).dropLast() }
        peer.send(Ask.subscribe(1) + "[" + calls.joined(separator: ",") + "]\n" + Ask.tap(42))
        #expect(turned.turn(until: peer, has: 14))
        #expect(peer.lines[1].hasPrefix("[") && peer.lines[1].hasSuffix("]"))
        let others = peer.marks.enumerated().filter { $0.offset != 1 }.map(\.element)
        #expect(others == ["reply 1"] + (1...10).map { "event \($0)" } + ["reply 42", "event 11"])
    }

    @Test func eventsOfOthersComeBetweenWholeLines() throws {
        let turned = try TurnedServer()
        let (subscriber, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        subscriber.send(Ask.subscribe(0) + Ask.many(100, Ask.list))
        other.send(Ask.many(200, Ask.tap))
        #expect(
            turned.turn {
                subscriber.read(3000)
                other.read()
                return subscriber.count == 301
            })
        #expect(subscriber.isAtEndOfLine)
        let marks = subscriber.marks
        #expect(marks.filter { $0.hasPrefix("reply") } == (0...100).map { "reply \($0)" })
        #expect(marks.filter { $0.hasPrefix("event") } == (1...200).map { "event \($0)" })
        #expect(marks.first == "reply 0")
    }

    @Test func replayedEventsComeAfterTheResultAndBeforeTheNextReply() throws {
        let turned = try TurnedServer()
        let (subscriber, other) = (try turned.connect(), try turned.connect())
        other.send(Ask.many(500, Ask.tap))
        #expect(turned.turn(until: other, has: 500))
        subscriber.send(Ask.subscribe(1, #"{"since":0,"epoch":"now"}"#) + Ask.plain(2))
        #expect(turned.turn(until: subscriber, has: 502))
        #expect(subscriber.marks == ["reply 1"] + (1...500).map { "event \($0)" } + ["reply 2"])
    }

    @Test func aPublicationIsAnEvent() throws {
        let stage = try Stage()
        let turned = try TurnedServer(stage)
        let peer = try turned.connect()
        peer.send(Ask.subscribe(1))
        #expect(turned.turn(until: peer, has: 1))
        // The first publication that the server hears of is no change.
        stage.origin.answer(.failed(Failure(.connect, "nobody there"), httpStatus: nil, retryAfter: nil))
        stage.settle()
        turned.turn(2)
        stage.advance(.seconds(86_400))
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        #expect(refresh.result?.outcome == .updated)
        #expect(
            turned.turn {
                peer.read()
                return peer.text.contains(#""event":"catalog","catalog":"default","state":"loaded""#)
            }, "\(peer.text)")
    }

    @Test func aSubscriptionOverTheLimitIsAnErrorAndAHangUpGivesItsPlaceBack() throws {
        let turned = try TurnedServer()
        let others = (1..<EventHub.maximumSubscriptions).map { _ in MemoryReceiver() }
        for other in others { _ = try turned.server.events.subscribe(other, SubscribeParameters()) }
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

    @Test func aSubscriberThatEndsItsInputBesideEventsThatItDidNotSelectIsClosed() throws {
        let turned = try TurnedServer()
        let (subscriber, other) = (try turned.connect(), try turned.connect())
        subscriber.send(Ask.subscribe(1, #"{"events":["catalog"]}"#))
        #expect(turned.turn(until: subscriber, has: 1))
        other.send(Ask.many(20, Ask.tap))
        subscriber.endInput()
        #expect(turned.turn(untilEndOf: subscriber))
        #expect(subscriber.marks == ["reply 1"])
        #expect(turned.counters.connections == 1)
    }

    // MARK: Falling behind

    /// Its own requests wait until it has taken the events of those before.
    @Test(arguments: [nil, Peer.smallest])
    func aSubscriberThatReadsDoesNotFallBehindTheEventsThatItCausesItself(buffer: Int32?) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: buffer)
        let host = String(repeating: "h", count: AppID.maximumLength)
        let apps = [String](repeating: #""finebill""#, count: 100).joined(separator: ",")
        var rest = Array(
            (Ask.subscribe(1)
                + Ask.many(100) { Ask.call($0 + 1, "impression", #"{"apps":[\#(apps)],"host":"\#(host)"}"#) }).utf8)[
                ...]
        #expect(
            turned.turn {
                rest = rest.dropFirst(peer.offer(rest))
                peer.read()
                return peer.isEnded || peer.count == 101 + 100 * 100
            })
        let marks = peer.marks
        #expect(marks.filter { $0.hasPrefix("lagged") } == [])
        #expect(marks.filter { $0.hasPrefix("event") } == (1...10_000).map { "event \($0)" })
    }

    @Test func aSubscriberThatDoesNotReadGetsItsEventsInOrderThenALastLineAndTheEndOfTheStream() throws {
        let turned = try TurnedServer()
        let (deaf, well, other) = (
            try turned.connect(buffer: Peer.smallest), try turned.connect(), try turned.connect()
        )
        for peer in [deaf, well] { peer.send(Ask.subscribe(1)) }
        turned.turn(2)
        var sent = 0
        // The hub drops it when it is 1,025 events behind what it was sent.
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
        #expect((1025...1380).contains(sent - last))
        deaf.hangUp()
        turned.turn(2)
        #expect(turned.counters.connections == 2)
    }

    @Test func aSubscriberThatDoesNotReadAndHangsUpIsForgotten() throws {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        deaf.send(Ask.subscribe(1))
        turned.turn(2)
        other.send(Ask.many(200, Ask.tap))
        #expect(turned.turn(until: other, has: 200))
        deaf.hangUp()
        turned.turn()
        #expect(turned.counters.connections == 1)
        #expect(turned.server.events.subscribers == 0)
    }

    @Test func requestsOfASubscriberThatFellBehindAreAnsweredNoMore() throws {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        deaf.send(Ask.subscribe(1))
        turned.turn(2)
        other.send(Ask.many(1999, Ask.tap))
        #expect(turned.turn(until: other, has: 1999))
        #expect(turned.turn { turned.server.events.subscribers == 0 })
        deaf.send(Ask.plain(2))
        #expect(turned.turn(untilEndOf: deaf))
        #expect(deaf.marks.last?.hasPrefix("lagged") == true)
        #expect(!deaf.marks.contains("reply 2"))
    }
}
