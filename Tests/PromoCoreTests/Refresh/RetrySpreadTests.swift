import PromoCore
import PromoWire
import Testing

/// Daemons whose failures end together, after an outage or a Retry-After, do not retry together.
@Suite struct RetrySpreadTests {
    private let expired = Timestamp.start - .hours(25)

    @Test(arguments: 1...40)
    func aThirdFailureIsRetriedWithin12HoursOfItsBackoff(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: expired, seed: seed)
        for failure in 1...4 {
            try machine.fetch(.failure, now: max(.start, try #require(machine.next).at))
            let next = try #require(machine.next)
            let notBefore = try #require(machine.schedule.notBefore)
            #expect(next.reason == .retry)
            #expect(next.at >= notBefore && next.at <= notBefore + (failure < 3 ? .zero : .hours(12)))
        }
    }

    @Test(arguments: 1...40)
    func aRetryAfterHasUpTo12HoursBehindIt(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: expired, seed: seed)
        try machine.fetch(.failure(retryAfter: .hours(2)), now: try #require(machine.next).at)
        let next = try #require(machine.next)
        let end = try #require(machine.schedule.retryAfter)
        #expect(next.reason == .retryAfter)
        #expect(next.at >= end && next.at <= end + .hours(12))
    }

    @Test func withoutACatalogARetryAfterHasUpToAMinuteBehindIt() throws {
        let waits = try (1...100).map { (seed: UInt64) in
            var machine = Machine.started(seed: seed)
            try machine.fetch(.failure(retryAfter: .hours(2)), now: .start)
            return try #require(machine.next).at - (.start + .hours(2))
        }
        #expect(waits.allSatisfy { .zero ... .minutes(1) ~= $0 })
        #expect(Set(waits).count > 90)
    }

    @Test func withoutACatalogNoFailureIsRetriedLater() throws {
        var machine = Machine.started()
        for _ in 0..<9 {
            try machine.fetch(.failure, now: try #require(machine.next).at)
            #expect(machine.next?.at == machine.schedule.notBefore)
        }
    }

    @Test func theNetworkEndsTheSpread() throws {
        var machine = Machine.started(fetchedAt: expired)
        let now = try machine.fail(times: 5, now: .start) + .hours(1)
        machine.networkAppeared(now: now)
        let next = try #require(machine.next)
        #expect(next.reason == .network && next.at <= now + .seconds(2))
    }
}
