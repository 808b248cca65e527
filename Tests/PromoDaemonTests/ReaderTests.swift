import Foundation
import Glibc
import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// A control plane beside another promod that keeps the cache.
@Suite(.timeLimit(.minutes(5))) struct ReaderTests {
    private let scratch: ScratchDirectory
    private let owner: Stage
    private let name = CacheOwner(pid: 7, host: "elsewhere")

    init() throws {
        scratch = try ScratchDirectory()
        owner = try Stage(scratch: scratch)
        owner.origin.answer(.body(Self.catalog("a"), Validators()))
        owner.settle()
    }

    private static func catalog(_ ids: String...) -> [UInt8] {
        let apps = ids.map { id in
            #"{"id":"\#(id)","name":"A","appStoreID":"1","iconURL":"https://i.example/\#(id).png","category":"c","#
                + #""tagline":{"en":"t"}}"#
        }
        return Array("{\"apps\":[\(apps.joined(separator: ","))]}".utf8)
    }

    private func reader(after delay: Duration = .zero) throws -> Stage {
        try Stage(scratch: scratch, owner: name, after: delay)
    }

    /// Makes the owner fetch a catalog.
    private func publish(_ catalog: [UInt8]) {
        owner.advance(.seconds(3600))
        let refresh = owner.ask(.refresh(RefreshParameters(wait: true)))
        owner.origin.answer(.body(catalog, Validators()))
        #expect(refresh.result?.outcome == .updated)
    }

    /// All files with their contents.
    private var files: [String: String] {
        get throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
            return Dictionary(uniqueKeysWithValues: paths.map { ($0, scratch.read($0)) })
        }
    }

    private func apps(_ stage: Stage) -> Int? { stage.snapshot.catalog.served?.catalog.count }

    @Test func itServesWhatTheOwnerStoresAndReadsItAgain() throws {
        let reader = try reader()
        #expect(apps(reader) == 1 && reader.snapshot.owner == name)
        publish(Self.catalog("a", "b"))
        #expect(apps(reader) == 1)
        reader.onPlane { $0.follow() }
        #expect(apps(reader) == 2)
        #expect(reader.snapshot.catalog.served?.fetchedAt == owner.snapshot.catalog.served?.fetchedAt)
        let serial = reader.snapshot.serial
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.serial == serial, "nothing is published if nothing has changed")
        #expect(owner.ask(.clear).result(as: ClearResult.self) != nil)
        reader.onPlane { $0.follow() }
        #expect(apps(reader) == nil)
    }

    @Test func itReadsTheReviewHistoryAgain() throws {
        let reader = try reader()
        #expect(reader.launchedApps == [])
        _ = owner.ask(.launch(app: "a")).result(as: LaunchResult.self)
        reader.onPlane { $0.follow() }
        #expect(reader.launchedApps == ["a"])
        try scratch.write("state/reviews.json.damaged", "?")
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.reviews == nil)
        #expect(reader.snapshot.reviewsError?.contains("was set aside as") == true)
        let command = Command.reviewEligible(ReviewParameters(app: "a", completed: 3))
        guard case .refused(let error) = reader.ask(command).value else {
            Issue.record("it was answered")
            return
        }
        #expect(error.reason == .notStored && error.message == reader.snapshot.reviewsError)
        try FileManager.default.removeItem(atPath: scratch("state/reviews.json.damaged"))
        try scratch.write("state/reviews.json", "?")
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.reviewsError?.contains("cannot be used") == true)
    }

    /// As after rm -rf of the cache, when another promod starts before this one has looked.
    @Test func whoseLockIsGoneAndTakenByAnotherReadsUntilItIsFree() throws {
        let path = scratch("cache/lock")
        let lock = try LockFile.take(path)
        owner.onPlane { $0.takeOver(lock) }
        _ = owner.ask(.launch(app: "a")).result(as: LaunchResult.self)
        try FileManager.default.removeItem(atPath: path)
        var other: LockFile? = try LockFile.take(path)
        owner.onPlane { $0.served("default", due: .check) }
        #expect(owner.snapshot.owner?.pid == Int(getpid()))
        #expect(apps(owner) == 1 && owner.launchedApps == ["a"])
        #expect(owner.snapshot.catalog.refresh.nextAt == nil)
        let reviews = try LockFile.take(scratch("state/reviews.lock"))
        withExtendedLifetime((other, reviews)) {}
        other = nil
        let again = try LockFile.take(path)
        owner.onPlane { $0.takeOver(again) }
        #expect(owner.snapshot.owner == nil && apps(owner) == 1)
        #expect(owner.snapshot.catalog.refresh.nextAt != nil)
    }

    @Test func itFetchesNeitherAnExpiredCatalogNorPictures() throws {
        let reader = try reader(after: .seconds(2 * 86_400))
        reader.onPlane { plane in
            plane.served("default", due: [.check, .icons])
            plane.networkAppeared()
            plane.clockSet()
        }
        #expect(reader.origin.waiting == 0)
        #expect(reader.snapshot.catalog.refresh.nextAt == nil)
        let gate = Gate()
        reader.onPlane { $0.awaitIcons(of: nil) { gate.open() } }
        #expect(gate.pass())
    }

    @Test func itShowsThePicturesThatTheOwnerHasFetched() throws {
        let reader = try reader()
        owner.onPlane { $0.served("default", due: .icons) }
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
        owner.origin.answer(.body(picture, Validators()))
        owner.settle()
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.catalog.icons?.arrivals == 1)
        #expect(reader.ask(.icon(app: "a")).picture != nil)
    }

    @Test func whatItCannotUseItLeavesToTheOwner() throws {
        try scratch.write("cache/catalog", "damaged")
        try scratch.write("state/reviews.json", "damaged")
        let before = try files
        let reader = try reader()
        #expect(apps(reader) == nil && reader.snapshot.reviews == nil)
        #expect(reader.snapshot.catalog.cache.error?.contains("is left as it is") == true)
        #expect(reader.ask(.reload).result(as: ReloadResult.self) != nil)
        reader.onPlane { $0.stop() }
        #expect(try files == before)
    }

    @Test func itNamesTheOwnerThatTheLockNamesByNow() throws {
        let reader = try reader()
        try scratch.write("cache/lock", "8\nanother\n")
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.owner == CacheOwner(pid: 8, host: "another"))
        try scratch.write("cache/lock", "")
        reader.onPlane { $0.follow() }
        #expect(reader.snapshot.owner == CacheOwner(pid: 8, host: "another"))
    }

    @Test func itTakesOverWithTheScheduleOfTheOwner() throws {
        let reader = try reader(after: .seconds(2 * 86_400))
        owner.onPlane { $0.stop() }
        let lock = try LockFile.take(scratch("cache/lock"))
        reader.onPlane { $0.takeOver(lock) }
        #expect(reader.snapshot.owner == nil && apps(reader) == 1)
        #expect(reader.snapshot.catalog.refresh.lastOutcome == .updated)
        #expect(reader.snapshot.catalog.refresh.nextAt != nil)
        _ = reader.ask(.refresh(.init(wait: false)))
        #expect(reader.origin.waiting == 1)
    }

    private final class Nobody: EventReceiver {
        var readiness: EventReadiness { .behind }
        func send(events: [UInt8]) {}
        func disconnect(lagged: [UInt8]) {}
    }

    @Test func theFilesAreLookedAtOnceASecondHoweverManyAreAnswered() throws {
        let reader = try reader()
        let process = ProcessStatus(
            version: "1", epoch: "e", pid: 1, startedAt: reader.now, socketPath: "/s", configurationPath: nil)
        // Its clock stands still while it does not run.
        let plane = QueryPlane(
            loop: try PollLoop(turnTime: 5), controlPlane: reader.plane,
            responder: Responder(language: .en, context: .init(process: process) { true }),
            publication: reader.publication,
            limits: ServerLimits(Configuration(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            now: { [owner] in owner.now })
        func ask() {
            var output = OutputQueue()
            _ = plane.respond(
                to: Request(.list(ListParameters())), id: .null, from: Nobody(), output: &output)
            reader.settle()
        }
        publish(Self.catalog("a", "b"))
        ask()
        #expect(apps(reader) == 2)
        publish(Self.catalog("a", "b", "c"))
        ask()
        #expect(apps(reader) == 2)
    }
}
