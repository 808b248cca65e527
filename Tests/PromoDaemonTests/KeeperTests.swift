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
        #expect(refresh.result?.outcome == .updated)
        #expect(refresh.result?.error?.code == .storage)
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

    @Test func afterABrokenCatalogTheValidatorsAreThoseOfTheKeptOne() throws {
        let stage = try fetched()
        stage.advance(.seconds(10))
        let broken = stage.ask(.refresh(.init()))
        stage.origin.answer(.body([], Validators(etag: "\"bad\"")))
        #expect(broken.result?.outcome == .failed)
        stage.advance(.seconds(70))
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.origin.answer(.notModified(Validators()))?.validators == etag)
        #expect(refresh.result?.outcome == .unchanged)
    }

    @Test func clearThatCannotRemoveTheFileSaysSoAndChangesNothing() throws {
        let stage = try fetched()
        // A directory cannot be unlinked, not even by root.
        try FileManager.default.removeItem(atPath: stage.scratch("\(Stage.cache)/catalog"))
        try stage.scratch.write("\(Stage.cache)/catalog/in-the-way", "")
        #expect(stage.ask(.clear(force: true)).error?.reason == .notStored)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.origin.waiting == 0)
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

    @Test(arguments: [true, false])
    func aConfigurationThatTheSystemRefusedIsReadAgainAndOneThatIsWrongIsNot(isTemporary: Bool) throws {
        var problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml", message: "no")])
        problem.isTemporary = isTemporary
        let stage = try Stage(problem: problem)
        #expect(stage.keeper.catalogs.configurationError != nil)
        stage.fireTimers()
        #expect((stage.keeper.catalogs.configurationError == nil) == isTemporary)
    }
}
