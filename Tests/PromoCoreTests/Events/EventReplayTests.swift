import PromoCore
import PromoWire
import Testing

/// Where a subscription begins, and which events are kept.
struct EventReplayTests {
    private func start(_ count: Int, after since: Int?, epoch: String? = "now") -> Int {
        EventLog.taps(count).start(SubscribeParameters(since: since, epoch: epoch), epoch: "now")
    }

    private static let capacity = EventLog.capacity

    @Test(
        arguments: [
            (2000, nil, 2000), (41, 40, 40), (41, 0, 0), (41, 41, 41), (capacity, 0, 0), (capacity + 1, 0, 1),
            (3000, 1000, 3000 - capacity), (41, 42, 41), (0, 7, 0), (41, .max, 41),
        ] as [(Int, Int?, Int)])
    func itBeginsAfterTheNumberThatWasAskedForIfThatIsKept(count: Int, since: Int?, start: Int) {
        #expect(self.start(count, after: since) == start)
    }

    @Test(arguments: ["then", "", nil])
    func withAnotherOrNoEpochItBeginsBeforeAllThatAreKept(epoch: String?) {
        for (count, since) in [(0, 7), (10, 10), (10, 900), (3000, 2999)] {
            #expect(start(count, after: since, epoch: epoch) == max(count - Self.capacity, 0))
        }
        #expect(start(2000, after: nil, epoch: epoch) == 2000)
    }

    @Test func whatAFilterDoesNotSelectIsSkippedAsFarAsItIsKept() {
        let (log, lost) = (EventLog.taps(3000), 3000 - Self.capacity - 1)
        #expect(log.skipped(after: 2000, for: EventFilter(kinds: [.catalog])) == 3000)
        #expect(log.skipped(after: 2000, for: EventFilter()) == 2000)
        #expect(log.skipped(after: lost, for: EventFilter(kinds: [.catalog])) == lost)
    }

    @Test func aRingThatHasWrappedKeepsEachEventUnderItsNumber() throws {
        var log = EventLog()
        for number in 1...5000 { log.append(.tap(app: "app\(number)", host: nil), at: .start) }
        #expect(log.seq == 5000)
        #expect(log.firstKept == 5001 - Self.capacity)
        for number in log.firstKept...5000 {
            let text = try #require(log.text(number))
            for member in ["\"seq\":\(number),", "\"app\":\"app\(number)\""] { #expect(text.contains(member)) }
        }
    }
}
