import PromoCore
import PromoWire
import Testing

/// Where a subscription begins, and which events are kept.
struct EventReplayTests {
    private func start(_ count: Int, after since: Int?, epoch: String? = "now") -> Int {
        EventLog.taps(count).start(SubscribeParameters(since: since, epoch: epoch), epoch: "now")
    }

    @Test(
        arguments: [
            (2000, nil, 2000), (41, 40, 40), (41, 0, 0), (41, 41, 41), (1024, 0, 0), (1025, 0, 1), (3000, 1000, 1976),
            (41, 42, 41), (0, 7, 0), (41, .max, 41),
        ] as [(Int, Int?, Int)])
    func itBeginsAfterTheNumberThatWasAskedForIfThatIsKept(count: Int, since: Int?, start: Int) {
        #expect(self.start(count, after: since) == start)
    }

    @Test(arguments: ["then", "", nil])
    func withAnotherOrNoEpochItBeginsBeforeAllThatAreKept(epoch: String?) {
        for (count, since) in [(0, 7), (10, 10), (10, 900), (3000, 2999)] {
            #expect(start(count, after: since, epoch: epoch) == count - min(count, 1024))
        }
        #expect(start(2000, after: nil, epoch: epoch) == 2000)
    }

    @Test func whatAFilterDoesNotSelectIsSkippedAsFarAsItIsKept() {
        let log = EventLog.taps(3000)
        #expect(log.skipped(after: 2000, for: EventFilter(kinds: [.catalog])) == 3000)
        #expect(log.skipped(after: 2000, for: EventFilter()) == 2000)
        #expect(log.skipped(after: 1975, for: EventFilter(kinds: [.catalog])) == 1975)
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
