import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// The hub, with receivers that record what they get.
struct EventHubTests {
    private let loop = Turns()
    private let hub: EventHub
    private let now = Timestamp(seconds: 1_800_000_000)

    init() {
        hub = EventHub(epoch: "now", later: loop.later) { _ in nil }
    }

    private func receiver(_ parameters: SubscribeParameters = SubscribeParameters()) throws -> MemoryReceiver {
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

    @Test func theResultNamesTheSelectedEventsAndThePosition() throws {
        tap(3)
        let parameters = SubscribeParameters(events: [.catalog, .tap], since: 1, epoch: "now")
        let result = try hub.subscribe(MemoryReceiver(), parameters, limit: 1)
        #expect(
            result == SubscribeResult(subscribed: [.tap, .catalog], epoch: "now", since: 1))
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
                == #"{"jsonrpc":"2.0","method":"event","params":{"seq":5,"event":"lagged"}}"# + "\n")
        #expect(hub.subscribers == 0)
        subscriber.readiness = .ready
        tap()
        hub.deliver(to: subscriber)
        loop.run()
        #expect(subscriber.numbers == [1, 2, 3, 4, 5])
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
        #expect(subscriber.lagged == nil)
        hub.emit([.catalog(state: .cached, generation: "g")], at: now)
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.numbers == [70_001])
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
        #expect(clients[7].lagged?.contains(#""seq":0,"event":"lagged"}"#) == true)
        #expect(hub.subscribers == 15)
    }

    @Test func aSubscriberWhoseOwnReplyDelaysEventsIsJudgedAtItsEnd() throws {
        let subscriber = try receiver()
        subscriber.readiness = .held
        tap(2000)
        loop.run()
        #expect(subscriber.lagged == nil)
        subscriber.readiness = .ready
        hub.deliver(to: subscriber)
        #expect(subscriber.lagged?.contains(#""seq":0,"event":"lagged"}"#) == true)
    }

    @Test func afterABurstClientsWaitForTheNextTurn() throws {
        tap(300)
        #expect(!hub.isFull)
        let subscriber = try receiver()
        loop.run()
        tap(255)
        #expect(!hub.isFull)
        tap()
        #expect(hub.isFull)
        // It was delivered at once, because the next burst could push it out.
        #expect(subscriber.numbers.count == 256)
        loop.run()
        #expect(!hub.isFull)
        tap(256)
        hub.unsubscribe(subscriber)
        #expect(!hub.isFull)
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
        var names: [CatalogReference: String] = [:]
        let hub = EventHub(epoch: "now", later: loop.later) { names[$0] }
        // Two by a name and by an address that mean nothing yet, and one by another name of a catalog.
        let receivers = [MemoryReceiver(), MemoryReceiver(), MemoryReceiver()]
        let references: [CatalogReference] = [.name("acme"), .address("https://one.example/"), .name("alias")]
        names[references[2]] = "one"
        for (receiver, reference) in zip(receivers, references) {
            _ = try hub.subscribe(receiver, SubscribeParameters(), of: reference)
        }
        func happens(_ catalog: String) {
            hub.emit([.tap(app: "a", host: nil, catalog: catalog)], at: now)
            loop.run()
        }
        happens("acme")
        happens("one")
        // The address appears in a file, and then in another one.
        names[references[1]] = "one"
        happens("one")
        names[references[1]] = "two"
        happens("one")
        happens("two")
        // That all are gone is still said to those who meant them.
        names = [:]
        for catalog in ["acme", "one", "two"] { happens(catalog) }
        #expect(receivers.map(\.numbers) == [[1, 6], [3, 5, 8], [2, 3, 4, 7]])
    }
}

/// Closures that a test calls after its current work.
private final class Turns {
    private var soon: [() -> Void] = []

    func later(_ body: @escaping () -> Void) { soon.append(body) }

    /// Calls every closure, including those that are added meanwhile.
    func run() {
        while !soon.isEmpty {
            let bodies = soon
            soon = []
            for body in bodies { body() }
        }
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
