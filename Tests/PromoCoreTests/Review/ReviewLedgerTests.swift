import PromoCore
import PromoWire
import Testing

/// What may change in the review history, before it is on disk.
@Suite struct ReviewLedgerTests {
    private let subject = ReviewHistory.Subject("fittoday", in: "default")

    private func ledger(_ file: ReviewHistory = ReviewHistory()) throws -> ReviewLedger {
        try ReviewLedger(file, isWritten: true, known: nil)
    }

    @Test func aFirstLaunchIsRecordedOnceAndNeverMoves() throws {
        var ledger = try ledger()
        let results = try [0, 3].map { day in
            try ledger.launch(subject, now: .start + .days(day)) { _ in true }
        }
        #expect(results.map(\.isRecorded) == [true, false])
        #expect(results.map(\.firstLaunch) == [.start, .start])
        #expect(ledger.history["fittoday"] == ReviewRecord(firstLaunch: .start) && ledger.history["bookary"] == nil)
        #expect(ledger.stored == ReviewHistory() && ledger.hasChange(of: subject))
    }

    @Test func aLaunchAfterARequestKeepsTheRequest() throws {
        var history = ReviewHistory()
        history.recordRequest(of: "fittoday", at: .start)
        var ledger = try ledger(history)
        let result = try ledger.launch(subject, now: .start + .days(1)) { _ in true }
        #expect(result.isRecorded)
        #expect(
            ledger.history["fittoday"] == ReviewRecord(firstLaunch: .start + .days(1), requests: [.start]))
    }

    @Test func timesAreKeptInWholeSecondsAsTheFileHasThem() throws {
        var ledger = try ledger()
        _ = try ledger.launch(subject, now: .start + .milliseconds(999)) { _ in true }
        var policy = ReviewPolicy()
        policy.minimumDaysSinceFirstLaunch = 0
        let grant = try ledger.request(
            ReviewParameters(app: "fittoday", completed: 3), of: subject, policy: policy, page: nil,
            isOnline: { true }, now: .start + .milliseconds(1001))
        #expect(grant.isGranted)
        #expect(
            ledger.history["fittoday"] == ReviewRecord(firstLaunch: .start, requests: [.start + .seconds(1)]))
        #expect(try ReviewHistory(fileBytes: ledger.history.fileBytes) == ledger.history)
    }

    @Test func aRefusalAndARepetitionChangeNothing() throws {
        var ledger = try ledger()
        let refusal = try ledger.request(
            ReviewParameters(app: "fittoday", completed: 3), of: subject, policy: ReviewPolicy(), page: nil,
            isOnline: { true }, now: .start)
        #expect(refusal.reasons == [.neverLaunched])
        #expect(try !ledger.reset(subject).wasKnown)
        #expect(!ledger.hasChanges && !ledger.isToBeWritten)
    }
}
