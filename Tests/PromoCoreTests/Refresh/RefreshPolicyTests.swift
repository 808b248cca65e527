import PromoCore
import PromoWire
import Testing

@Suite struct RefreshPolicyTests {
    private let policy = RefreshPolicy()

    @Test func aCatalogIsFreshForLessThan24Hours() {
        #expect(!policy.isExpired(fetchedAt: .start, now: .start))
        #expect(!policy.isExpired(fetchedAt: .start, now: .start + .hours(24) - .milliseconds(1)))
        #expect(policy.isExpired(fetchedAt: .start, now: .start + .hours(24)))
    }

    @Test func aTimeOver5MinutesAheadIsNotBelievable() {
        #expect(!policy.isExpired(fetchedAt: .start + .minutes(5), now: .start))
        #expect(policy.isExpired(fetchedAt: .start + .minutes(5) + .milliseconds(1), now: .start))
    }

    @Test(arguments: [Int64.min, .max])
    func aTimeAtTheEdgeOfTheCalendarIsExpired(milliseconds: Int64) {
        #expect(policy.isExpired(fetchedAt: Timestamp(milliseconds: milliseconds), now: .start))
    }

    @Test func theIntervalIsConfigurable() {
        var policy = policy
        policy.interval = .hours(1)
        #expect(!policy.isExpired(fetchedAt: .start, now: .start + .minutes(59)))
        #expect(policy.isExpired(fetchedAt: .start, now: .start + .minutes(60)))
    }

    @Test func theDefaultsAreThoseOfTheDesign() {
        #expect(policy.interval == .hours(24))
        #expect(policy.spread == .hours(24))
        #expect(policy.minimumGap == .seconds(2))
        #expect(policy.backoff == Backoff())
        #expect(Backoff().floor == .seconds(5) && Backoff().base == .seconds(60) && Backoff().cap == .hours(1))
    }
}
