import Foundation
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

struct KeeperTests {
    private let etag = Validators(etag: "\"1\"")
    private let renamed = Array(
        String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "FineBill Pro").utf8)
    private let oneApp = Array(
        #"{"apps":[{"id":"one","name":"One","appStoreID":"1","iconURL":"https://a.example/i","category":"c","tagline":{"en":"t"}}]}"#
            .utf8)
    private let unreachable = OriginReply.failed(Failure(.connect, "nobody there"), httpStatus: nil, retryAfter: nil)

    @Test func aFetchedCatalogIsPublishedAndStored() throws {
        let stage = try Stage()
        #expect(stage.origin.answer(.body(SampleCatalog.bytes, etag))?.validators.isEmpty == true)
        stage.settle()
        let snapshot = stage.snapshot
        #expect(snapshot.catalog.freshness(now: stage.now).state == .loaded)
        #expect(snapshot.catalog.served?.catalog.count == 5)
        #expect(snapshot.catalog.storage == nil)
        #expect(
            snapshot.catalog.schedule.next.map(\.at).map { $0 > stage.now && $0 - stage.now <= .seconds(86_400) }
                == true)
        #expect(
            stage.scratch.read("\(Stage.cache)/catalog").hasPrefix(
                #"{"format":1,"url":"https://example.com/c.json","etag":"\"1\"""#))
        #expect(stage.scratch.read("\(Stage.cache)/schedule.json").contains(#""lastOutcome":"updated""#))
    }

    /// A stage whose disk has refused its first catalog, and what is in the way there.
    private func stageWithARefusal() throws -> (Stage, trap: String) {
        let stage = try Stage()
        let trap = stage.scratch("\(Stage.cache)/.catalog.new")
        try FileManager.default.createDirectory(atPath: trap, withIntermediateDirectories: true)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        #expect(stage.snapshot.catalog.storage != nil)
        return (stage, trap)
    }

    @Test func whatTheDiskRefusesIsReportedUntilItTakesIt() throws {
        let (stage, trap) = try stageWithARefusal()
        #expect(stage.snapshot.catalog.storage?.contains("cannot be stored") == true)
        try FileManager.default.removeItem(atPath: trap)
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators()))
        stage.settle()
        #expect(stage.snapshot.catalog.storage == nil)
    }

    @Test func whatTheDiskRefusedIsStoredAtAReload() throws {
        let (stage, trap) = try stageWithARefusal()
        try FileManager.default.removeItem(atPath: trap)
        _ = stage.ask(.reload).value
        stage.settle()
        #expect(stage.snapshot.catalog.storage == nil)
        #expect(stage.scratch.read("\(Stage.cache)/catalog").hasPrefix("{\"format\":1"))
    }

    @Test func aFileThatWasRemovedAndCannotBeWrittenAgainIsNotStored() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        try FileManager.default.removeItem(atPath: stage.scratch("\(Stage.cache)/catalog"))
        try FileManager.default.createDirectory(
            atPath: stage.scratch("\(Stage.cache)/.catalog.new"), withIntermediateDirectories: false)
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators()))
        stage.settle()
        #expect(stage.snapshot.catalog.served?.catalog.count == 5 && stage.snapshot.catalog.storage != nil)
    }

    @Test func withoutACatalogThereIsNoneAndNothingIsFetchedOrWritten() throws {
        let stage = try Stage(url: nil)
        #expect(stage.snapshot.catalog.isUnconfigured)
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .empty)
        #expect(stage.origin.waiting == 0)
        guard case .refused(let error) = stage.ask(.refresh(.init())).value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error == RequestError(.noOrigin, Unconfigured.text))
        #expect(!FileManager.default.fileExists(atPath: stage.scratch("cache")))
    }

    @Test func theSampleComesAndGoesWithAReload() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        for (url, source) in [("sample", Freshness.Source.sample), (nil, .none), ("sample", .sample)] {
            stage.configure(url: url)
            #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
            #expect(stage.snapshot.catalog.freshness(now: stage.now).source == source)
            #expect(stage.snapshot.catalog.isUnconfigured == (url == nil))
        }
    }

    @Test func theSampleIsNeitherFetchedNorWritten() throws {
        let stage = try Stage(url: "sample")
        #expect(stage.snapshot.catalog.freshness(now: stage.now).source == .sample)
        #expect(stage.origin.waiting == 0)
        guard case .refused(let error) = stage.ask(.refresh(.init())).value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == .noOrigin)
        #expect(stage.scratch.read("\(Stage.cache)/schedule.json").isEmpty)
        #expect(stage.ask(.clear()).result(as: ClearResult.self) != nil)
        #expect(stage.snapshot.catalog.served != nil)
    }

    @Test func aFetchThatIsDueNowIsUnderWayBeforeAnyRequestIsAnswered() throws {
        let stage = try Stage(url: nil)
        stage.configure(url: "https://example.com/other.json")
        let state = Mutex<Freshness.State?>(nil)
        stage.onLoop { keeper in
            keeper.reload()
            keeper.read(then: { [now = stage.now] keeper in
                state.withLock { $0 = keeper.snapshot.catalog.freshness(now: now).state }
            })
        }
        #expect(state.withLock { $0 } == .loading)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .loaded)
        #expect(stage.origin.waiting == 0)
    }

    @Test func a304RenewsTheTimeInMemoryAndOnDisk() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
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
        #expect(stage.snapshot.catalog.served?.catalog.generation == CatalogDigest(of: renamed).short)
    }

    @Test func theSameBytesOverAgainAreUnchanged() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        stage.advance(.seconds(10))
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        #expect(refresh.result?.outcome == .unchanged)
        #expect(stage.snapshot.catalog.served?.fetchedAt == stage.now)
    }

    @Test func a304WithoutACatalogIsAFailure() throws {
        let stage = try Stage()
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.notModified(Validators()))
        #expect(refresh.result?.error?.code == .httpStatus)
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .empty)
    }

    @Test func aRefreshWithABrokenCatalogFailsAndKeepsTheOldOne() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
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

    @Test func theOriginPreparesAFetchAndRestsIfItIsCancelledBeforeItsRequest() throws {
        let stage = try Stage()
        #expect(stage.origin.calls == (1, 0))
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        stage.advance(.seconds(10))
        stage.onLoop { keeper in
            keeper.carryOut(.refresh(.init())) { _ in }
            keeper.stop()
        }
        #expect(stage.origin.calls == (2, 1) && stage.origin.waiting == 0)
    }

    @Test func callsDuringAFetchJoinIt() throws {
        let stage = try Stage()
        let waiting = (0..<3).map { _ in stage.ask(.refresh(.init())) }
        let started = stage.ask(.refresh(.init(wait: false)))
        #expect(started.result?.outcome == .started)
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .loading)
        let list = stage.awaitFetch()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        #expect(waiting.map { $0.result?.outcome } == [.updated, .updated, .updated])
        #expect(list.pass())
        #expect(stage.origin.waiting == 0)
    }

    @Test func clearThatCannotRemoveTheFileSaysSoAndChangesNothing() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        // A directory cannot be unlinked, not even by root.
        try FileManager.default.removeItem(atPath: stage.scratch("\(Stage.cache)/catalog"))
        try stage.scratch.write("\(Stage.cache)/catalog/in-the-way", "")
        guard case .refused(let error) = stage.ask(.clear()).value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == .notStored)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.origin.waiting == 0)
    }

    @Test func ifTheDiskRefusesTheCatalogIsServedFromMemoryAndStatusSaysSo() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("cache", "a file where the directory should be")
        let stage = try Stage(scratch: scratch)
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        #expect(refresh.result?.outcome == .updated)
        #expect(refresh.result?.error?.code == .storage)
        // A sooner request gets the same outcome.
        #expect(stage.ask(.refresh(.init())).result?.error?.code == .storage)
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        #expect(stage.snapshot.catalog.storage != nil)
    }

    @Test(arguments: [
        Request.Method.list(ListParameters()), .tap(TapParameters(app: "bookary")),
        .impression(ImpressionParameters(apps: ["bookary"])), .tap(TapParameters(app: "unknown")),
    ])
    func anExpiredCatalogIsServedUntilTheFetchThatAnAnswerCausesHasEnded(method: Request.Method) throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        stage.advance(.seconds(86_400))
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .cached)
        #expect(stage.origin.waiting == 0)
        stage.onLoop { $0.answered(Request(method)) }
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .cached)
        stage.origin.answer(.body(renamed, etag))
        stage.settle()
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .loaded)
        #expect(stage.snapshot.catalog.served?.catalog.generation == CatalogDigest(of: renamed).short)
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

    /// Has the reply to a refresh arrive while the intake is busy, and does something before it is read.
    private func during(_ stage: Stage, readingOf bytes: [UInt8], _ body: (Keeper) -> Void) {
        let keeper = stage.keeper
        stage.advance(.seconds(10))
        _ = stage.ask(.refresh(.init()))
        keeper.intake.suspend()
        body(keeper)
        stage.origin.answer(.body(bytes, etag))
        keeper.inbox.empty(into: keeper)
    }

    @Test func aClearedCatalogStaysAwayAlsoIfTheFetchIsCancelledWhileItsReplyIsRead() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        during(stage, readingOf: renamed) { $0.carryOut(.clear()) { _ in } }
        // As a change of the proxy does.
        stage.keeper.refreshers.values.forEach { $0.cancelFetch() }
        stage.keeper.intake.resume()
        stage.settle()
        #expect(stage.snapshot.catalog.served == nil)
        #expect(stage.scratch.read("\(Stage.cache)/catalog").isEmpty)
    }

    @Test func aCatalogThatTheDiskRefusedIsNotStoredOverANewerOne() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("cache", "a file where the directory should be")
        let stage = try Stage(scratch: scratch)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        #expect(unlink(scratch("cache")) == 0)
        during(stage, readingOf: renamed) { _ in }
        stage.keeper.refreshers.values.forEach { $0.storeAgain() }
        stage.keeper.intake.resume()
        stage.settle()
        #expect(scratch.read("\(Stage.cache)/catalog").hasSuffix(String(decoding: renamed, as: UTF8.self)))
    }

    @Test func clearCancelsTheFirstFetchTooAndWhoWaitsGetsTheNextOutcome() throws {
        let stage = try Stage()
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.ask(.clear()).result(as: ClearResult.self) != nil)
        #expect(stage.origin.givenUp == 1)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.advance(.seconds(2))
        #expect(stage.ask(.refresh(.init(wait: false))).result?.outcome == .started)
        stage.origin.answer(.body(renamed, etag))
        #expect(refresh.result?.outcome == .updated)
    }

    @Test func anotherURLTakesItsCatalogFromTheOtherOriginAndDropsTheOld() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        stage.configure(url: "https://example.org/other.json")
        #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(stage.snapshot.catalog.served == nil)
        let request = stage.origin.answer(.body(renamed, etag))
        #expect(request?.url.host == "example.org")
        #expect(request?.validators.isEmpty == true)
        stage.settle()
        #expect(stage.snapshot.catalog.served?.catalog.generation == CatalogDigest(of: renamed).short)
    }

    @Test func theSameURLWrittenOtherwiseKeepsTheCatalog() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        stage.configure(url: "https://EXAMPLE.com:443/c.json#fragment")
        _ = stage.ask(.reload).value
        #expect(stage.snapshot.catalog.served?.fetchedAt == stage.now)
        #expect(stage.origin.waiting == 0)
    }

    @Test func aFailedFetchLeavesItsScheduleToTheNextDaemon() throws {
        let stage = try Stage()
        stage.origin.answer(.failed(Failure(.unavailable, "busy"), httpStatus: 503, retryAfter: "3600"))
        stage.settle()
        #expect(stage.snapshot.catalog.schedule.next?.reason == .retryAfter)
        let next = try Stage(scratch: stage.scratch)
        #expect(next.origin.waiting == 0)
        let end = stage.now + .seconds(3600)
        #expect(next.snapshot.catalog.schedule.next.map(\.at).map { end...end + .seconds(31) ~= $0 } == true)
        #expect(next.snapshot.catalog.schedule.record.failures == 1)
        #expect(next.snapshot.catalog.schedule.record.lastError?.code == .unavailable)
        #expect(next.ask(.refresh(.init())).result?.outcome == .failed)
        #expect(next.snapshot.catalog.retry(now: next.now).at == next.snapshot.catalog.schedule.next?.at)
    }

    @Test func anotherURLDoesNotInheritTheScheduleOfTheFirst() throws {
        let stage = try Stage()
        stage.origin.answer(.failed(Failure(.unavailable, "busy"), httpStatus: 503, retryAfter: "3600"))
        stage.settle()
        let other = try Stage(scratch: stage.scratch, url: "https://example.org/c.json")
        #expect(other.origin.answer(.body(SampleCatalog.bytes, etag)) != nil)
    }

    @Test func aDaemonWithoutAURLReportsNothingOfAFormerOrigin() throws {
        let stage = try Stage()
        stage.origin.answer(.failed(Failure(.unavailable, "busy"), httpStatus: 503, retryAfter: nil))
        stage.settle()
        let sampling = try Stage(scratch: stage.scratch, url: nil)
        #expect(sampling.snapshot.catalog.schedule.record.lastError == nil)
        #expect(sampling.snapshot.catalog.schedule.record.failures == 0)
    }

    @Test func anAttemptIsOnDiskBeforeItEndsSoThatACrashLoopBacksOff() throws {
        let stage = try Stage()
        let refresh = stage.ask(.refresh(.init()))
        #expect(stage.scratch.read("\(Stage.cache)/schedule.json").contains(#""lastAttemptAt":"20"#))
        // Another daemon starts with the files of the first, which died.
        let next = try Stage(scratch: stage.scratch)
        #expect(next.origin.waiting == 0)
        #expect(next.snapshot.catalog.schedule.record.failures == 1)
        #expect(next.snapshot.catalog.schedule.next?.reason == .retry)
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        #expect(refresh.result?.outcome == .updated)
    }

    @Test func aScheduleThatIsNotValidIsForgottenAndTheCatalogFetched() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("\(Stage.cache)/schedule.json", "{\"failures\":-1}")
        let stage = try Stage(scratch: scratch)
        #expect(stage.origin.answer(.body(SampleCatalog.bytes, etag)) != nil)
    }

    @Test func theResultOfAJobAfterAStopPublishesNothing() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        let launched = stage.snapshot.launched
        stage.onLoop { keeper in
            keeper.carryOut(.launch(app: "a")) { _ in }
            keeper.stop()
        }
        #expect(stage.snapshot.launched == launched && stage.snapshot.catalog.served != nil)
    }

    @Test func aStoppingKeeperAnswersAllClientsAndFetchesNoMore() throws {
        let stage = try Stage()
        let refresh = stage.ask(.refresh(.init()))
        stage.onLoop { $0.stop() }
        #expect(stage.origin.givenUp == 1)
        for reply in [refresh.value, stage.ask(.refresh(.init())).value] {
            guard case .refused(let error) = reply else {
                Issue.record("it was not refused")
                return
            }
            #expect(error.reason == .busy)
        }
    }

    @Test func aDaemonWithABrokenConfigurationServesTheCacheAndFetchesNothingUntilAReload() throws {
        let stage = try Stage()
        stage.origin.answer(.body(SampleCatalog.bytes, etag))
        stage.settle()
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "nonsense")])
        let broken = try Stage(scratch: stage.scratch, problem: problem)
        #expect(broken.snapshot.catalog.served?.catalog.count == 5)
        #expect(broken.snapshot.problems.first { $0.code == .configuration }?.text == "config.toml:1: nonsense.")
        #expect(broken.origin.waiting == 0)
        #expect(broken.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(!broken.snapshot.problems.contains { $0.code == .configuration })
        #expect(broken.snapshot.catalog.served?.catalog.count == 5)
    }
}
