@testable import PromoCore
import PromoWire
import Testing

/// Where a subscription begins, and how many events it has missed.
struct EventReplayTests {
    private typealias Replay = EventLog.Replay

    @Test func withoutSinceNothingIsReplayedAndNothingMissed() {
        let log = EventLog.taps(2000)
        #expect(log.replay(SubscribeParameters(), epoch: "now") == Replay(sent: 2000, count: 0, missed: 0))
        #expect(log.replay(SubscribeParameters(epoch: "then"), epoch: "now") == Replay(sent: 2000, count: 0, missed: 0))
    }

    @Test func eventsAfterThatNumberAreReplayed() {
        let log = EventLog.taps(41)
        #expect(log.replay(after: 40) == Replay(sent: 40, count: 1, missed: 0))
        #expect(log.replay(after: 0) == Replay(sent: 0, count: 41, missed: 0))
        #expect(log.replay(after: 41) == Replay(sent: 41, count: 0, missed: 0))
    }

    @Test(arguments: [42, 1024, 65_536, Int.max])
    func aNumberThatWasNeverReachedReplaysNothing(since: Int) {
        #expect(EventLog.taps(41).replay(after: since) == Replay(sent: 41, count: 0, missed: 0))
        #expect(EventLog().replay(after: since) == Replay(sent: 0, count: 0, missed: 0))
    }

    @Test func anEmptyLogReplaysNothing() {
        #expect(EventLog().replay(after: 0) == Replay(sent: 0, count: 0, missed: 0))
        let foreign = EventLog().replay(SubscribeParameters(since: 7, epoch: "then"), epoch: "now")
        #expect(foreign == Replay(sent: 0, count: 0, missed: nil))
    }

    @Test(arguments: ["then", "", nil])
    func withAnotherOrNoEpochAllKeptEventsAreReplayedAndTheCountOfMissedIsUnknown(epoch: String?) {
        for (events, since) in [(10, 9), (10, 10), (10, 900), (3000, 2999)] {
            let replay = EventLog.taps(events).replay(SubscribeParameters(since: since, epoch: epoch), epoch: "now")
            let held = min(events, 1024)
            #expect(replay == Replay(sent: events - held, count: held, missed: nil))
        }
    }

    @Test func theLast1024AreKeptAndThoseBeforeAreMissed() {
        #expect(EventLog.taps(1024).replay(after: 0) == Replay(sent: 0, count: 1024, missed: 0))
        #expect(EventLog.taps(1025).replay(after: 0) == Replay(sent: 1, count: 1024, missed: 1))
        #expect(EventLog.taps(1025).replay(after: 1) == Replay(sent: 1, count: 1024, missed: 0))
        #expect(EventLog.taps(3000).replay(after: 1000) == Replay(sent: 1976, count: 1024, missed: 976))
    }

    @Test func replayedAndMissedCountOnlySelectedEvents() {
        var log = EventLog()
        for number in 1...2048 {
            let host = number.isMultiple(of: 4) ? "x" : "y"
            log.append(
                number.isMultiple(of: 2) ? .tap(app: "a", host: host) : .impression(app: "a", host: host), at: .start)
        }
        #expect(log.replay(after: 0, [.tap]) == Replay(sent: 1024, count: 512, missed: 512))
        #expect(log.replay(after: 0, host: "x") == Replay(sent: 1024, count: 256, missed: 256))
        #expect(log.replay(after: 1000, [.impression], host: "x") == Replay(sent: 1024, count: 0, missed: 0))
        #expect(log.replay(after: 1000, [.tap], host: "x") == Replay(sent: 1024, count: 256, missed: 6))
        #expect(log.replay(after: 0, [.catalog]) == Replay(sent: 1024, count: 0, missed: 0))
    }

    @Test func after65536EventsTheCountOfMissedIsUnknown() {
        let log = EventLog.taps(65_540)
        #expect(log.replay(after: 3) == Replay(sent: 64_516, count: 1024, missed: nil))
        #expect(log.replay(after: 4) == Replay(sent: 64_516, count: 1024, missed: 64_512))
        #expect(log.replay(after: 0, [.catalog]) == Replay(sent: 64_516, count: 0, missed: nil))
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
