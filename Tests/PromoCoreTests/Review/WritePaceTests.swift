import PromoCore
import Testing

struct WritePaceTests {
    @Test func twentyWritesFollowEachOtherAtOnceAndThenFourASecond() {
        var pace = WritePace()
        let waits = (0..<21).map { _ in pace.take(now: 1000) }
        #expect(waits == Array(repeating: 0, count: 20) + [250])
        #expect([1100, 1249, 1250, 1250, 1500].map { pace.take(now: $0) } == [150, 1, 0, 250, 0])
    }

    @Test func howeverLongItWasQuietNoMoreThanTwentyFollowEachOther() {
        var pace = WritePace()
        _ = (0..<30).map { _ in pace.take(now: 0) }
        #expect((0..<30).count { _ in pace.take(now: 1_000_000) == 0 } == 20)
    }
}
