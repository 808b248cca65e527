import PromoCore
import PromoWire
import Testing

/// Where a subscription begins, and which events are kept.
struct EventReplayTests {
    private func start(_ count: Int, after since: Int?, epoch: String? = "now") -> Int {
        EventLog.taps(count).start(SubscribeParameters(since: since, epoch: epoch), epoch: "now")
    }

    @Test func withoutSinceItBeginsAfterTheLastEvent() {
        #expect(start(2000, after: nil) == 2000)
        #expect(start(2000, after: nil, epoch: "then") == 2000)
    }

    @Test(arguments: [(41, 40), (41, 0), (41, 41), (1024, 0), (1025, 1), (3000, 1976)])
    func itBeginsAfterTheNumberThatWasAskedFor(count: Int, since: Int) {
        #expect(start(count, after: since) == since)
    }

    @Test(arguments: [42, 1024, 65_536, Int.max])
    func afterANumberThatWasNeverReachedItBeginsAfterTheLastEvent(since: Int) {
        #expect(start(41, after: since) == 41)
        #expect(start(0, after: since) == 0)
    }

    @Test(arguments: ["then", "", nil])
    func withAnotherOrNoEpochItBeginsBeforeAllThatAreKept(epoch: String?) {
        for (count, since) in [(0, 7), (10, 9), (10, 10), (10, 900), (3000, 2999)] {
            #expect(start(count, after: since, epoch: epoch) == count - min(count, 1024))
        }
    }

    @Test func theLast1024AreKept() {
        #expect(start(1025, after: 0) == 1)
        #expect(start(3000, after: 1000) == 1976)
    }

    @Test func whatAFilterDoesNotSelectIsSkippedAsFarAsItIsKept() {
        let log = EventLog.taps(3000)
        #expect(log.skipped(after: 2000, for: EventFilter(kinds: [.catalog])) == 3000)
        #expect(log.skipped(after: 2000, for: EventFilter()) == 2000)
        #expect(log.skipped(after: 1975, for: EventFilter(kinds: [.catalog])) == 1975)
    }

    @Test func aHundredThousandHostsLeaveTheLastEvents() {
        var log = EventLog()
        for number in 0..<100_000 { log.append(.tap(app: "bookary", host: "host-\(number)"), at: .start) }
        #expect(log.firstKept == 100_000 - 1023)
    }

    @Test func aRingThatHasWrappedKeepsEachEventUnderItsNumber() throws {
        var log = EventLog()
        for number in 1...5000 { log.append(.tap(app: "app\(number)", host: nil), at: .start) }
        #expect(log.seq == 5000)
        #expect(log.firstKept == 3977)
        for number in 3977...5000 {
            #expect(try #require(log.text(number)).contains("\"seq\":\(number),"))
            #expect(try #require(log.text(number)).contains("\"app\":\"app\(number)\""))
        }
    }
}
