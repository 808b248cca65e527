import PromoCore
import PromoWire
import Testing

/// `canRetry` says whether trying again would have an effect, and `retryAt` when promod itself tries next.
@Suite struct RetryOfferTests {
    private func offer(_ desk: Desk) throws -> [JSON?] {
        let result = try desk.ask(#"{"method":"list"}"#).result
        return [result["canRetry"], result["retryAt"]]
    }

    @Test func ifNothingIsServedAndAFetchIsAllowedThereIsAnOffer() throws {
        #expect(try offer(.empty()) == [true, "2027-01-15T08:00:30Z"])
    }

    @Test func retryAtIsRoundedUp() throws {
        #expect(try offer(.empty(pause: .start + .milliseconds(1))) == [true, "2027-01-15T08:00:01Z"])
    }

    @Test func aBackoffDoesNotKeepAPersonFromTrying() throws {
        #expect(try offer(.empty(pause: .start + .hours(1))) == [true, "2027-01-15T09:00:00Z"])
    }

    @Test func withoutAnOriginThereIsNoOffer() throws {
        var desk = Desk.empty()
        desk.snapshot.first.schedule.configured(RefreshPolicy(), hasOrigin: false, now: .start)
        #expect(try offer(desk) == [false, .null])
    }

    @Test func duringAFetchThereIsNoOffer() throws {
        #expect(try offer(.loading()) == [false, .null])
    }

    @Test(arguments: [Duration.hours(1), .days(9)])
    func withACatalogThereIsNoOffer(age: Duration) throws {
        #expect(try offer(.serving(fetchedAt: .start - age)) == [false, .null])
    }
}
