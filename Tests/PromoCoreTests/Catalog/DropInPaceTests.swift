import PromoCore
import Testing

/// When promod looks for drop-ins.
struct DropInPaceTests {
    @Test func oneLookCoversWhatChangesBeforeIt() {
        var pace = DropInPace()
        #expect(pace.changed(now: 1_000_000) == 20)
        for time in 1...19 { #expect(pace.changed(now: 1_000_000 + Int64(time)) == nil) }
    }

    @Test func whileMuchChangesThereAreTwoLooksASecond() {
        var (pace, looks, next) = (DropInPace(), 0, Milliseconds?.none)
        for now in 0..<Milliseconds(10_000) {
            if let time = next, now >= time {
                looks += 1
                next = nil
                pace.began(now: now)
            }
            if let delay = pace.changed(now: now) { next = now + delay }
        }
        #expect(looks == 20)
    }

    @Test func afterALookThatTookLongTheNextOneIsTwentyTimesAsFarAway() {
        var pace = DropInPace()
        pace.began(now: 1000)
        pace.ended(now: 1300)
        #expect(pace.changed(now: 1300) == 5700)
        pace.began(now: 7000)
        pace.ended(now: 7001)
        #expect(pace.changed(now: 7001) == 499)
    }

    @Test func theGapIsTenSecondsAtMost() {
        var pace = DropInPace()
        pace.began(now: 1000)
        pace.ended(now: 61_000)
        #expect(pace.changed(now: 61_000) == 20)
        pace.began(now: 61_020)
        pace.ended(now: 62_020)
        #expect(pace.changed(now: 62_020) == 9000)
    }

    @Test func afterALookThatFailedItIsTriedAgainWithoutAChange() {
        var pace = DropInPace()
        pace.began(now: 1000)
        #expect(pace.failed(now: 1000) == 10_000)
        #expect(pace.changed(now: 1001) == nil)
    }
}
