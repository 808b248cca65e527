import PromoCore
import Testing

/// When promod looks for drop-ins.
struct LookPaceTests {
    @Test func oneLookCoversWhatChangesBeforeIt() {
        var pace = LookPace()
        #expect(pace.changed(now: 1_000_000) == 20)
        for time in 1...19 { #expect(pace.changed(now: 1_000_000 + Int64(time)) == nil) }
    }

    @Test func whileMuchChangesThereAreTwoLooksASecond() {
        var (pace, looks, next) = (LookPace(), 0, Milliseconds?.none)
        for now in 0..<Milliseconds(10_000) {
            if let time = next, now >= time {
                looks += 1
                next = nil
                pace.looks(now: now)
            }
            if let delay = pace.changed(now: now) { next = now + delay }
        }
        #expect(looks == 20)
    }

    @Test func afterALookThatTookLongTheNextOneIsTwentyTimesAsFarAway() {
        var pace = LookPace()
        pace.looks(now: 1000)
        pace.looked(now: 1300)
        #expect(pace.changed(now: 1300) == 5700)
        pace.looks(now: 7000)
        pace.looked(now: 7001)
        #expect(pace.changed(now: 7001) == 499)
    }

    @Test func afterALookThatFailedItIsTriedAgainWithoutAChange() {
        var pace = LookPace()
        pace.looks(now: 1000)
        #expect(pace.failed(now: 1000) == 10_000)
        #expect(pace.changed(now: 1001) == nil)
    }
}
