import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// The hub, with receivers that record what they get.
struct EventHubTests {
    private let loop = ManualScheduler()
    private let hub: EventHub
    private let now = Timestamp(seconds: 1_800_000_000)

    init() {
        hub = EventHub(scheduler: loop, epoch: "now")
    }

    private func receiver(
        _ parameters: SubscribeParameters = SubscribeParameters(), of catalog: CatalogReference? = nil
    ) throws -> MemoryReceiver {
        let receiver = MemoryReceiver()
        _ = try hub.subscribe(receiver, parameters, limit: 100)
        return receiver
    }

    private func tap(_ count: Int = 1, host: String = "finebill") {
        for _ in 0..<count { hub.emit([.tap(app: "bookary", host: host)], at: now) }
    }

    @Test func anEventComesAfterTheLoopsCurrentWork() throws {
        let subscriber = try receiver()
        tap()
        #expect(subscriber.lines.isEmpty)
        loop.run()
        #expect(subscriber.numbers == [1])
    }

    @Test func aSubscriptionWithoutSinceBeginsWithTheNextEvent() throws {
        tap(3)
        let subscriber = try receiver()
        tap(2)
        loop.run()
        #expect(subscriber.numbers == [4, 5])
    }

    @Test func theResultNamesTheSelectedEvents() throws {
        tap(3)
        let parameters = SubscribeParameters(events: [.catalog, .tap], since: 1, epoch: "now")
        let result = try hub.subscribe(MemoryReceiver(), parameters, limit: 1)
        #expect(
            result == SubscribeResult(subscribed: [.tap, .catalog], epoch: "now", seq: 3, replayed: 2, missed: 0))
    }

    @Test func replayedEventsComeOnceAndThenNewOnes() throws {
        tap(2000)
        let subscriber = try receiver(SubscribeParameters(since: 1500, epoch: "now"))
        tap(5)
        loop.run()
        #expect(subscriber.numbers == Array(1501...2005))
    }

    @Test func everyEventInTheLogIsReplayedToASubscriberOfAnotherEpoch() throws {
        tap(2000)
        let subscriber = try receiver(SubscribeParameters(since: 7, epoch: "then"))
        loop.run()
        #expect(subscriber.numbers == Array(977...2000))
        #expect(subscriber.lagged == nil)
    }

    @Test func numbersCountAllEventsAndAFilterLeavesGaps() throws {
        let subscriber = try receiver(SubscribeParameters(events: [.tap], host: "x"))
        hub.emit(
            [
                .impression(app: "a", host: "x"), .tap(app: "a", host: "y"), .tap(app: "a", host: "x"),
                .catalog(state: .loaded, generation: "g"), .tap(app: "b", host: "x"),
            ], at: now)
        loop.run()
        #expect(subscriber.numbers == [3, 5])
    }

    @Test func aSecondSubscriptionReplacesTheFirst() throws {
        let subscriber = try receiver(SubscribeParameters(host: "x"))
        tap(host: "x")
        loop.run()
        _ = try hub.subscribe(subscriber, SubscribeParameters(host: "y"), limit: 1)
        tap(host: "x")
        tap(host: "y")
        loop.run()
        #expect(subscriber.numbers == [1, 3])
        #expect(hub.subscribers == 1)
    }

    @Test func theErrorNamesTheLimitAndAPlaceIsFreeAfterOneLeaves() throws {
        let first = MemoryReceiver()
        _ = try hub.subscribe(first, SubscribeParameters(), limit: 1)
        let error = #expect(throws: RequestError.self) {
            try hub.subscribe(MemoryReceiver(), SubscribeParameters(), limit: 1)
        }
        #expect(error?.reason == .busy)
        #expect(error?.message.contains("1 subscription") == true)
        // An existing subscription is kept even if the limit was lowered.
        _ = try hub.subscribe(first, SubscribeParameters(events: [.tap]), limit: 0)
        hub.unsubscribe(first)
        #expect(hub.subscribers == 0)
        _ = try hub.subscribe(MemoryReceiver(), SubscribeParameters(), limit: 1)
        #expect(hub.subscribers == 1)
    }

    @Test func aSubscriberThatLeavesGetsNoMoreEventsAndIsReleased() throws {
        weak var gone: MemoryReceiver?
        do {
            let subscriber = try receiver()
            gone = subscriber
            tap()
            hub.unsubscribe(subscriber)
            loop.run()
            #expect(subscriber.lines.isEmpty)
            #expect(hub.subscribers == 0)
        }
        #expect(gone == nil)
    }

    @Test func onlyWholeLinesAreSent() throws {
        tap(1024, host: String(repeating: "h", count: 880))
        let subscriber = try receiver(SubscribeParameters(since: 0, epoch: "now"))
        loop.run()
        #expect(subscriber.pieces.count > 1)
        #expect(subscriber.pieces.allSatisfy { $0.hasSuffix("}\n") && $0.hasPrefix("{") })
        #expect(subscriber.numbers == Array(1...1024))
    }

    // MARK: Falling behind

    @Test func oneWhoTakesNothingFor1025EventsGetsALastLineThatSaysSo() throws {
        let subscriber = try receiver()
        tap(5)
        loop.run()
        subscriber.readiness = .behind
        tap(1024)
        loop.run()
        #expect(subscriber.lagged == nil)
        tap()
        loop.run()
        #expect(
            subscriber.lagged
                == #"{"jsonrpc":"2.0","method":"event","params":{"seq":5,"event":"lagged","missed":1025}}"# + "\n")
        #expect(hub.subscribers == 0)
        subscriber.readiness = .ready
        tap()
        hub.deliver(to: subscriber)
        loop.run()
        #expect(subscriber.numbers == [1, 2, 3, 4, 5])
    }

    @Test func theLastLineNamesTheLastEventThatWasSentAndCountsTheSelected() throws {
        let subscriber = try receiver(SubscribeParameters(host: "x"))
        tap(3, host: "x")
        tap(10, host: "y")
        loop.run()
        subscriber.readiness = .behind
        for _ in 0..<513 {
            tap(host: "x")
            tap(host: "y")
        }
        loop.run()
        let lagged = try #require(subscriber.lagged)
        #expect(lagged.contains(#""seq":3,"event":"lagged","missed":513}"#))
    }

    @Test func aMebibyteIsTooFarToo() throws {
        let subscriber = try receiver()
        subscriber.readiness = .behind
        tap(10, host: String(repeating: "h", count: 50_000))
        loop.run()
        #expect(subscriber.lagged == nil)
        tap(11, host: String(repeating: "h", count: 50_000))
        loop.run()
        #expect(subscriber.lagged?.contains(#""seq":0,"event":"lagged","missed":21}"#) == true)
    }

    @Test func aSubscriberThatTakesEventsLosesNoneOfABurst() throws {
        let clients = try [receiver(), receiver()]
        hub.emit(Array(repeating: .impression(app: "a", host: "x"), count: 10_000), at: now)
        loop.run()
        for subscriber in clients {
            #expect(subscriber.numbers == Array(1...10_000))
            #expect(subscriber.lagged == nil)
        }
    }

    @Test func aSubscriberThatTakesEventsLosesNoneOfABurstOfLargeEvents() throws {
        let subscriber = try receiver()
        let id = String(repeating: "h", count: AppID.maximumLength)
        hub.emit(Array(repeating: .impression(app: id, host: id), count: 10_000), at: now)
        loop.run()
        #expect(subscriber.lagged == nil)
        #expect(subscriber.numbers == Array(1...10_000))
    }

    @Test func aSubscriberThatSelectsNoneOfTheEventsDoesNotFallBehind() throws {
        let subscriber = try receiver(SubscribeParameters(events: [.catalog]))
        subscriber.readiness = .behind
        for _ in 0..<70 {
            tap(1000)
            loop.run()
        }
        tap(30, host: String(repeating: "h", count: 50_000))
        loop.run()
        #expect(subscriber.lagged == nil)
        hub.emit([.catalog(state: .cached, generation: "g")], at: now)
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.numbers == [70_031])
    }

    @Test func oneStalledSubscriberOfSixteenDelaysNoOther() throws {
        let clients = try (0..<16).map { _ in try receiver() }
        clients[7].readiness = .behind
        for _ in 0..<100 {
            hub.emit(Array(repeating: .impression(app: "a", host: "x"), count: 100), at: now)
            loop.run()
        }
        for (index, subscriber) in clients.enumerated() where index != 7 {
            #expect(subscriber.numbers == Array(1...10_000))
            #expect(subscriber.lagged == nil)
        }
        #expect(clients[7].lagged?.contains(#""seq":0,"event":"lagged","missed":1100}"#) == true)
        #expect(hub.subscribers == 15)
    }

    @Test func aDisconnectedSubscriberLearnsHowManyEventsItMissed() throws {
        let subscriber = try receiver()
        subscriber.readiness = .behind
        tap(1000)
        loop.run()
        hub.emit(Array(repeating: .impression(app: "a", host: "x"), count: 100), at: now)
        loop.run()
        #expect(subscriber.lagged?.contains(#""seq":0,"event":"lagged","missed":1100}"#) == true)
    }

    @Test func replayedEventsAreKeptForASubscriberWhoseOwnReplyDelaysThem() throws {
        tap(1024)
        let subscriber = MemoryReceiver()
        subscriber.readiness = .held
        let result = try hub.subscribe(subscriber, SubscribeParameters(since: 0, epoch: "now"), limit: 1)
        #expect(result.replayed == 1024)
        tap(1024)
        loop.run()
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.lagged == nil)
        #expect(subscriber.numbers == Array(1...2048))
    }

    @Test func aSubscriberWhoseOwnReplyDelaysEventsIsJudgedAtItsEnd() throws {
        let subscriber = try receiver()
        subscriber.readiness = .held
        tap(2000)
        loop.run()
        #expect(subscriber.lagged == nil)
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.lagged?.contains(#""seq":0,"event":"lagged","missed":2000}"#) == true)
    }

    @Test func aBurstWaitsUntilSubscribersHaveHadTheirTurn() throws {
        tap(300)
        #expect(!hub.isFull)
        let subscriber = try receiver()
        loop.run()
        tap(255)
        #expect(!hub.isFull)
        tap()
        #expect(hub.isFull)
        var goesOn = 0
        hub.afterDelivery { goesOn += 1 }
        loop.run()
        #expect(subscriber.numbers.count == 256)
        #expect(goesOn == 0)
        loop.advanceTime(by: Milliseconds(1))
        #expect(goesOn == 1)
        #expect(!hub.isFull)
    }

    @Test func whoHasWaitedLongestGoesOnFirst() throws {
        _ = try receiver()
        tap(256)
        var order: [String] = []
        func burst(_ name: String, times: Int) {
            guard !hub.isFull else { return hub.afterDelivery { burst(name, times: times) } }
            order.append(name)
            tap(256)
            if times > 1 { burst(name, times: times - 1) }
        }
        burst("flood", times: 3)
        burst("other", times: 1)
        for _ in 0..<4 {
            loop.run()
            loop.advanceTime(by: Milliseconds(1))
        }
        #expect(order == ["flood", "other", "flood", "flood"])
    }

    @Test func whoComesWhileOthersWaitGoesOnAfterThem() throws {
        _ = try receiver()
        tap(256)
        var isFull: [Bool] = []
        for _ in 0..<2 { hub.afterDelivery { [hub] in isFull.append(hub.isFull) } }
        hub.afterDelivery { [self] in tap() }
        loop.run()
        #expect(hub.isFull)
        loop.advanceTime(by: Milliseconds(1))
        #expect(isFull == [false, false])
        #expect(!hub.isFull)
    }

    @Test func whoWaitsGoesOnWhenTheLastSubscriberHasLeft() throws {
        let subscriber = try receiver()
        tap(256)
        var goesOn = 0
        for _ in 0..<3 {
            hub.afterDelivery { [self] in
                tap(256)
                goesOn += 1
            }
        }
        hub.unsubscribe(subscriber)
        #expect(!hub.isFull)
        loop.run()
        loop.advanceTime(by: Milliseconds(1))
        #expect(goesOn == 3)
    }

    @Test func theLogHoldsAMebibyteAtMost() throws {
        tap(100, host: String(repeating: "h", count: 50_000))
        let subscriber = try receiver(SubscribeParameters(since: 0, epoch: "then"))
        loop.run()
        #expect(subscriber.numbers == Array(81...100))
    }

    @Test func aSubscriberThatTakesEventsAgainGetsAllWaitingOnes() throws {
        let subscriber = try receiver()
        subscriber.readiness = .behind
        tap(1000)
        loop.run()
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.numbers == Array(1...1000))
    }

    @Test func aSubscriberThatTakesOnePieceAtATimeLosesNothing() throws {
        let subscriber = try receiver()
        tap(1000)
        subscriber.isFullAfterEachPiece = true
        loop.run()
        while subscriber.numbers.count < 1000 {
            let before = subscriber.numbers.count
            subscriber.readiness = .ready
            hub.deliver(to: subscriber)
            try #require(subscriber.numbers.count > before)
        }
        #expect(subscriber.numbers == Array(1...1000))
        #expect(subscriber.pieces.count > 2)
    }

    // MARK: The catalog

    @Test func aSubscriberIsToldOfTheCatalogThatItsRequestMeans() throws {
        // One by the name acme, and one by the address of what that means first.
        let receivers = [MemoryReceiver(), MemoryReceiver()]
        let references: [CatalogReference] = [.name("acme"), .address("https://one.example/")]
        for (receiver, reference) in zip(receivers, references) {
            _ = try hub.subscribe(receiver, SubscribeParameters(), of: (reference, "one"))
        }
        func tap(_ identity: String) { hub.emit([.tap(app: "a", host: nil)], of: identity, at: now) }
        tap("one")
        // The name comes to mean another catalog, then none, and then the first one.
        #expect(hub.resolve { $0 == references[0] ? "two" : "one" } == ["two"])
        tap("two")
        tap("one")
        #expect(hub.resolve { $0 == references[0] ? nil : "one" } == [])
        tap("two")
        #expect(hub.resolve { _ in "one" } == ["one"])
        tap("one")
        loop.run()
        #expect(receivers.map(\.numbers) == [[1, 2, 4, 5], [1, 3, 5]])
    }
}

/// A receiver that records what it gets.
final class MemoryReceiver: EventReceiver {
    var readiness = EventReadiness.ready
    /// Whether it refuses more after each piece until the test allows it.
    var isFullAfterEachPiece = false
    private(set) var pieces: [String] = []
    private(set) var lagged: String?

    var lines: [String] { pieces.flatMap { $0.split(separator: "\n") }.map(String.init) }

    /// The numbers of the events.
    var numbers: [Int] {
        lines.map { line in
            line.split(separator: #""seq":"#).last.flatMap { Int($0.prefix { $0 != "," }) } ?? -1
        }
    }

    func send(events: [UInt8]) {
        pieces.append(String(decoding: events, as: UTF8.self))
        if isFullAfterEachPiece { readiness = .behind }
    }

    func disconnect(lagged: [UInt8]) {
        self.lagged = String(decoding: lagged, as: UTF8.self)
    }
}
