import PromoCore
import PromoWire
import Testing

/// Without a URL the sample is served and nothing is fetched.
@Suite struct OriginlessTests {
    @Test(arguments: [nil, Timestamp.start, Timestamp.start - .days(30)])
    func nothingIsEverDue(fetchedAt: Timestamp?) {
        var schedule = RefreshSchedule()
        schedule.attempt = 4
        schedule.notBefore = .start + .minutes(1)
        schedule.retryAfter = .start + .minutes(2)
        var machine = Machine.started(hasOrigin: false, fetchedAt: fetchedAt, schedule: schedule)
        for hour in 0..<72 {
            let now = Timestamp.start + .hours(hour)
            #expect(machine.next == nil)
            let fired = machine.timerFired(elapsed: true, now: now)
            machine.networkAppeared(now: now)
            machine.cleared(now: now)
            #expect(fired == .none)
            #expect(machine.fetching == nil)
        }
    }
}
