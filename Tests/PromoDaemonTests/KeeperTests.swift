import Foundation
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

struct KeeperTests {
    private let etag = Validators(etag: "\"1\"")
    private let renamed = Array(
        String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "FineBill Pro").utf8)

    /// A stage whose catalog has been fetched.
    private func fetched() throws -> Stage {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        return stage
    }

    @Test func whatTheDiskRefusesIsServedAndReportedUntilARefreshFindsThatItTakesIt() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("cache", "a file where the directory should be")
        let stage = try Stage(scratch: scratch)
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        #expect(refresh.result?.outcome == .updated && refresh.result?.error?.code == .storage)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.snapshot.catalog.storage?.contains("cannot be stored") == true)
        #expect(unlink(scratch("cache")) == 0)
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators()))
        stage.settle()
        #expect(stage.snapshot.catalog.storage == nil)
        #expect(scratch.read("\(Stage.cache)/catalog").hasPrefix("{\"format\":1"))
    }

    @Test func aDamagedReviewHistoryAndAMissingLockAreSaidOnceAndReviewsWork() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/reviews.json", "{")
        try scratch.write("state/reviews.lock/in-the-way", "")
        let stage = try Stage(scratch: scratch, url: nil)
        for app in ["a", "b"] {
            #expect(stage.ask(.launch(app: app)).result(as: LaunchResult.self)?.isRecorded == true)
        }
        for words in ["set aside as", "is used without a lock"] {
            #expect(stage.log.messages.count { $0.contains(words) } == 1, "\(stage.log.messages)")
        }
        #expect(stage.snapshot.problems.contains { $0.code == .reviews })
        #expect(scratch.read("state/reviews.json.damaged") == "{")
    }

    @Test func a304RenewsTheTimeInMemoryAndOnDisk() throws {
        let stage = try fetched()
        stage.advance(.seconds(3600))
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.origin.answer(.notModified(Validators(etag: "\"2\"")))?.validators == etag)
        #expect(refresh.result?.outcome == .unchanged)
        #expect(stage.snapshot.catalog.served?.fetchedAt == stage.now)
        let again = try Stage(scratch: stage.scratch)
        #expect(again.snapshot.catalog.served?.fetchedAt == stage.now)
    }

    @Test func a304UnderAnotherETagIsNotBelievedASecondTime() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, Validators(etag: "\"1\"", lastModified: "yesterday")))
        stage.settle()
        stage.advance(.seconds(70))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators(lastModified: "today")))
        stage.settle()
        stage.advance(.seconds(70))
        _ = stage.ask(.refresh(.init()))
        let kept = stage.origin.answer(.notModified(Validators(etag: "W/\"1\"")))
        #expect(kept?.validators == Validators(etag: "\"1\"", lastModified: "yesterday"))
        stage.settle()
        stage.advance(.seconds(70))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators(etag: "\"2\"")))
        stage.settle()
        stage.advance(.seconds(70))
        _ = stage.ask(.refresh(.init()))
        #expect(stage.origin.answer(.body(renamed, etag))?.validators.isEmpty == true)
        stage.settle()
        #expect(stage.snapshot.catalog.served?.catalog.generation == Digest(of: renamed).short)
    }

    @Test func theSameBytesOverAgainAreUnchanged() throws {
        let stage = try fetched()
        stage.advance(.seconds(10))
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        #expect(refresh.result?.outcome == .unchanged)
        #expect(stage.snapshot.catalog.served?.fetchedAt == stage.now)
    }

    @Test func aRefreshWithABrokenCatalogFailsAndKeepsTheOldOne() throws {
        let stage = try fetched()
        stage.advance(.seconds(10))
        for (bytes, code) in [(Array("[]".utf8), ProblemCode.schema), ([], .json), (Array("<html>".utf8), .json)] {
            let refresh = stage.ask(.refresh(.init()))
            stage.origin.answer(.body(bytes, Validators(etag: "\"bad\"")))
            #expect(refresh.result?.outcome == .failed)
            #expect(refresh.result?.error?.code == code)
            #expect(refresh.result?.retryAt != nil)
            #expect(stage.snapshot.catalog.served?.catalog.count == 5)
            stage.advance(.seconds(10))
        }
        // The validators still belong to the kept bytes.
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.origin.answer(.notModified(Validators()))?.validators == etag)
        #expect(refresh.result?.outcome == .unchanged)
    }

    @Test func clearThatCannotRemoveTheFileSaysSoAndChangesNothing() throws {
        let stage = try fetched()
        // A directory cannot be unlinked, not even by root.
        try FileManager.default.removeItem(atPath: stage.scratch("\(Stage.cache)/catalog"))
        try stage.scratch.write("\(Stage.cache)/catalog/in-the-way", "")
        guard case .refused(let error) = stage.ask(.clear(force: true)).value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == .notStored)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.origin.waiting == 0)
    }

    @Test func clearOfTheOnlyCopyIsRefusedAndForceClearsIt() throws {
        let stage = try fetched()
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.failed(Failure(.unavailable, "busy"), httpStatus: 503, retryAfter: nil))
        stage.settle()
        guard case .refused(let error) = stage.ask(.clear()).value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == .onlyCopy)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.ask(.clear(force: true)).result(as: ClearResult.self) != nil)
        #expect(stage.snapshot.catalog.served == nil)
    }

    @Test func clearCancelsAFetchAndItsLateAnswerMeansNothing() throws {
        let stage = try Stage()
        stage.origin.answer(.body(renamed, etag))
        stage.settle()
        stage.advance(.seconds(10))
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.ask(.clear()).result(as: ClearResult.self) != nil)
        #expect(stage.origin.givenUp == 1)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        #expect(stage.snapshot.catalog.served == nil)
        #expect(stage.scratch.read("\(Stage.cache)/catalog").isEmpty)
        // A waiting client gets the outcome of the fetch that follows.
        stage.advance(.seconds(2))
        #expect(stage.ask(.refresh(.init(wait: false))).result?.outcome == .started)
        stage.origin.answer(.body(renamed, etag))
        #expect(refresh.result?.outcome == .updated)
    }

    @Test func aClearedCatalogStaysAwayAlsoIfTheFetchIsCancelledWhileItsReplyIsRead() throws {
        let stage = try fetched()
        let keeper = stage.keeper
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        keeper.intake.suspend()
        keeper.commands.carryOut(.clear()) { _ in }
        stage.origin.answer(.body(renamed, etag))
        keeper.inbox.empty(into: keeper)
        // As a change of the proxy does.
        keeper.catalogs.forEach { $0.cancelFetch() }
        keeper.intake.resume()
        stage.settle()
        #expect(stage.snapshot.catalog.served == nil)
        #expect(stage.scratch.read("\(Stage.cache)/catalog").isEmpty)
    }

    @Test func theSameURLWrittenOtherwiseKeepsTheCatalog() throws {
        let stage = try fetched()
        stage.configure(url: "https://EXAMPLE.com:443/c.json#fragment")
        _ = stage.ask(.reload).value
        #expect(stage.snapshot.catalog.served?.fetchedAt == stage.now)
        #expect(stage.origin.waiting == 0)
    }

    @Test(arguments: [true, false])
    func aConfigurationThatTheSystemRefusedIsReadAgainAndOneThatIsWrongIsNot(isTemporary: Bool) throws {
        var problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml", message: "no")])
        problem.isTemporary = isTemporary
        let stage = try Stage(problem: problem)
        #expect(stage.keeper.catalogs.configurationError != nil)
        stage.fireTimers()
        #expect((stage.keeper.catalogs.configurationError == nil) == isTemporary)
    }

    @Test func aFailedFetchLeavesItsScheduleToTheNextDaemon() throws {
        let stage = try Stage()
        stage.origin.answer(.failed(Failure(.unavailable, "busy"), httpStatus: 503, retryAfter: .seconds(3600)))
        stage.settle()
        #expect(stage.snapshot.catalog.schedule.next?.reason == .retryAfter)
        let next = try Stage(scratch: stage.scratch)
        #expect(next.origin.waiting == 0)
        let end = stage.now + .seconds(3600)
        #expect(next.snapshot.catalog.schedule.next.map(\.at).map { end...end + .seconds(61) ~= $0 } == true)
        #expect(next.snapshot.catalog.schedule.record.failures == 1)
        #expect(next.snapshot.catalog.schedule.record.lastError?.code == .unavailable)
        let refresh = next.ask(.refresh(.init())).result
        #expect(refresh?.outcome == .deferred)
        #expect(refresh?.error?.code == .unavailable)
        #expect(refresh?.retryAt == stage.now + .seconds(60))
        #expect(next.snapshot.catalog.retry(now: next.now).at == next.snapshot.catalog.schedule.next?.at)
    }
}
