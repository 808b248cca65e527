@testable import CrossPromoKit
import Testing

/// How often an app starts the promod that it brings.
struct ProgramStartTests {
    private let now = SuspendingClock.now

    @Test func threeTimesInTenSecondsAtMost() {
        var record = ProgramStart.Record()
        let starts = [0, 1, 2, 3, 9, 11, 12].map { record.mayStart(now: now.advanced(by: .seconds($0))) }
        #expect(starts == [true, true, true, false, false, true, true])
    }

    @Test func notAgainWhenThePersonHasSwitchedItOff() {
        var record = ProgramStart.Record()
        record.ended(78)
        let first = record.mayStart(now: now)
        record.ended(77)
        #expect([first, record.mayStart(now: now.advanced(by: .seconds(100)))] == [true, false])
    }
}
