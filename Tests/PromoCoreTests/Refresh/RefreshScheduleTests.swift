import PromoCore
import PromoTestSupport
import PromoWire
import Testing

@Suite struct RefreshScheduleTests {
    private var full: RefreshSchedule {
        var schedule = RefreshSchedule()
        schedule.phase = RefreshPhase(millionths: 123_456)
        schedule.attempt = 3
        schedule.notBefore = .start + .minutes(7)
        schedule.retryAfter = .start + .hours(2)
        schedule.lastAttemptAt = .start
        schedule.lastEndAt = .start + .seconds(4)
        schedule.isUnderWay = true
        schedule.lastOutcome = .failed
        schedule.lastError = Failure(.tls, "The certificate of \"a\\b\"\nis for 빌\u{0}.")
        return schedule
    }

    @Test func anEmptyScheduleComesBack() {
        #expect(RefreshSchedule(fileBytes: RefreshSchedule().fileBytes) == RefreshSchedule())
    }

    @Test func everyMemberComesBack() {
        #expect(RefreshSchedule(fileBytes: full.fileBytes) == full)
    }

    @Test(arguments: Failure.Code.allCases)
    func everyKindOfErrorComesBack(code: Failure.Code) {
        var schedule = RefreshSchedule()
        schedule.lastError = Failure(code, "m")
        #expect(RefreshSchedule(fileBytes: schedule.fileBytes)?.lastError == schedule.lastError)
    }

    @Test(arguments: [RefreshResult.Outcome.updated, .unchanged, .failed])
    func everyOutcomeComesBack(outcome: RefreshResult.Outcome) {
        var schedule = RefreshSchedule()
        schedule.lastOutcome = outcome
        #expect(RefreshSchedule(fileBytes: schedule.fileBytes)?.lastOutcome == outcome)
    }

    @Test func theFileIsOneLine() {
        let bytes = full.fileBytes
        #expect(bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1)
    }

    @Test func theEndsOfWaitsAreRoundedUp() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            let time = Timestamp.start + .milliseconds(Int64.random(in: 0...10_000, using: &generator))
            var schedule = RefreshSchedule()
            schedule.notBefore = time
            schedule.retryAfter = time
            schedule.lastEndAt = time
            let read = try #require(RefreshSchedule(fileBytes: schedule.fileBytes))
            for written in [read.notBefore, read.retryAfter, read.lastEndAt] {
                let written = try #require(written)
                #expect(written >= time && written - time < .seconds(1))
            }
        }
    }
}
