import PromoCore
import PromoWire
import Testing

/// The end of a cancelled fetch is ignored.
@Suite struct StaleEndTests {
    private func expectIgnored(_ id: Machine.FetchID, by machine: inout Machine) {
        let (schedule, next, fetching) = (machine.schedule, machine.next, machine.fetching)
        let fetchedAt = machine.fetchedAt
        for end in [FetchEnd.updated, .unchanged, .failure(retryAfter: .hours(9)), .offline] {
            let counted = machine.fetchEnded(id, end, now: .start + .seconds(20))
            #expect(!counted)
        }
        #expect(machine.schedule == schedule && machine.next == next)
        #expect(machine.fetching == fetching && machine.fetchedAt == fetchedAt)
    }

    @Test func itIsIgnoredAfterAClear() throws {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        let id = try machine.begin(now: .start)
        machine.cleared(now: .start + .seconds(1))
        expectIgnored(id, by: &machine)
        #expect(machine.fetchedAt == nil)
    }

    @Test func itIsIgnoredDuringTheFetchThatFollowsAClear() throws {
        var machine = Machine.started()
        let given = try machine.begin(now: .start)
        machine.cleared(now: .start + .seconds(1))
        let current = try machine.begin(now: .start + .seconds(3))
        #expect(given != current)
        expectIgnored(given, by: &machine)
        let counted = machine.fetchEnded(current, .updated, now: .start + .seconds(30))
        #expect(counted)
    }

    @Test func itIsIgnoredUnderAnotherOrigin() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        machine.originChanged(RefreshPolicy(), schedule: RefreshSchedule(), fetchedAt: nil, now: .start + .seconds(1))
        expectIgnored(id, by: &machine)
    }

    @Test func itIsIgnoredAfterTheStop() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        machine.stopped(now: .start + .seconds(1))
        expectIgnored(id, by: &machine)
    }

    @Test func anEndCountsOnce() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let first = machine.fetchEnded(id, .failure, now: .start)
        #expect(first)
        expectIgnored(id, by: &machine)
        #expect(machine.schedule.attempt == 1)
    }
}
