import PromoCore
import PromoWire
import Testing

/// How far a subscriber may fall behind.
struct EventLagTests {
    private let all = EventFilter()

    @Test func allKeptEventsMayBeOutstandingButNotOneMore() {
        #expect(!EventLog.taps(1024).isTooFarBehind(after: 0, for: all))
        #expect(EventLog.taps(1025).isTooFarBehind(after: 0, for: all))
        #expect(!EventLog.taps(1025).isTooFarBehind(after: 1, for: all))
        #expect(!EventLog.taps(9000).isTooFarBehind(after: 9000, for: all))
        #expect(!EventLog().isTooFarBehind(after: 0, for: all))
    }

    @Test func eventsThatAreNotSelectedDoNotCount() {
        let log = EventLog.taps(3000)
        #expect(!log.isTooFarBehind(after: 0, for: EventFilter(kinds: [.catalog])))
        #expect(!log.isTooFarBehind(after: 0, for: EventFilter(host: "stedio")))
        #expect(log.isTooFarBehind(after: 0, for: EventFilter(host: "finebill")))
    }

    @Test func overAMebibyteIsTooFarBehindEvenForFewEvents() throws {
        let host = String(repeating: "h", count: 50_000)
        let bytes = try #require(EventLog.taps(1, host: host).line(1, for: all)).count
        let fitting = 1024 * 1024 / bytes
        #expect(!EventLog.taps(fitting, host: host).isTooFarBehind(after: 0, for: all))
        let log = EventLog.taps(fitting + 1, host: host)
        #expect(log.isTooFarBehind(after: 0, for: all))
        #expect(!log.isTooFarBehind(after: 2, for: all))
    }

    @Test func aHundredThousandHostsLeaveTheLastEvents() {
        var log = EventLog()
        for number in 0..<100_000 { log.append(.tap(app: "bookary", host: "host-\(number)"), at: .start) }
        #expect(log.firstKept == 100_000 - 1023)
        #expect(log.count(1..<2, for: all) == nil, "not even the key of an old event is kept")
    }

    @Test func aSubscriberThatWasSentEverythingIsNotBehind() {
        let log = EventLog.taps(2048, host: String(repeating: "h", count: 5000))
        #expect(!log.isTooFarBehind(after: 2048, for: all))
        #expect(!log.isTooFarBehind(after: 1900, for: all))
        #expect(log.isTooFarBehind(after: 1500, for: all))
    }
}
