import PromoCore
import PromoWire
import Testing

@Suite struct RefreshPolicyTests {
    private let policy = RefreshPolicy()

    @Test func aTimeOver5MinutesAheadIsNotBelievable() {
        #expect((Timestamp.start + .minutes(5)).isBelievable(now: .start))
        #expect(!(Timestamp.start + .minutes(5) + .milliseconds(1)).isBelievable(now: .start))
        #expect(!Timestamp(milliseconds: .max).isBelievable(now: .start))
        #expect(Timestamp(milliseconds: .min).isBelievable(now: .start))
    }

    @Test func theDefaultsAreThoseOfTheDesign() {
        #expect(policy.interval == .hours(24))
        #expect(policy.spread == .hours(24))
        #expect(policy.minimumGap == .seconds(2))
        #expect(policy.backoff == Backoff())
        #expect(Backoff().floor == .seconds(5) && Backoff().base == .seconds(60) && Backoff().cap == .hours(1))
    }
}
