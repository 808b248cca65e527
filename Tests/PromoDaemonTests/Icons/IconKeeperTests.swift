import Foundation
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// When icons are fetched, what is stored of them, and who hears of it.
@Suite(.timeLimit(.minutes(5))) struct IconKeeperTests {
    private static func picture(_ number: UInt8) -> [UInt8] { Pictures.png + [number] }

    private static func catalog(_ icons: [String]) -> [UInt8] {
        let apps = icons.enumerated().map { number, icon in
            #"{"id":"app\#(number)","name":"A","appStoreID":"1","iconURL":"https://\#(icon)","category":"c","tagline":{"en":"t"}}"#
        }
        return Array("{\"apps\":[\(apps.joined(separator: ","))]}".utf8)
    }

    private func stage(
        _ icons: [String] = ["a.example/0.png", "b.example/1.png"], scratch: ScratchDirectory? = nil
    ) throws -> Stage {
        let stage = try Stage(scratch: scratch)
        if scratch == nil {
            stage.origin.answer(.body(Self.catalog(icons), Validators()))
            stage.settle()
        }
        return stage
    }

    private func ask(_ stage: Stage) {
        stage.onLoop { $0.catalogs.forEach { $0.icons.asked() } }
    }

    private func paths(_ stage: Stage) -> [String?] {
        guard let icons = stage.snapshot.catalog.icons, let catalog = stage.snapshot.catalog.served?.catalog else {
            return []
        }
        var output = OutputQueue()
        output.array(of: catalog.list(in: .all, iconPath: icons.path), [0..<catalog.count])
        let apps = try? JSONDocument(Array(output.json.bytes[...]), maximumDepth: 8).root
        return apps?.elements.map { $0["iconPath"]?.string } ?? []
    }

    private func files(_ stage: Stage) throws -> [String] {
        let cache = stage.snapshot.catalog.cachePath.dropLast("/catalog".count)
        return try DirectoryReader.names(in: cache + "/icons", maximum: 100).filter { $0 != "book.json" }.sorted()
    }

    private func answer(_ stage: Stage, _ reply: OriginReply) -> OriginRequest? {
        defer { stage.settle() }
        return stage.origin.answer(reply)
    }

    @Test func nothingIsFetchedUnasked() throws {
        let stage = try stage()
        stage.advance(.seconds(1 * 3600))
        stage.settle()
        #expect(stage.origin.waiting == 0)
        #expect(stage.snapshot.catalog.icons == nil)
    }

    @Test func theyAreFetchedOneAtATimeAndStored() throws {
        let stage = try stage()
        ask(stage)
        #expect(stage.origin.hosts == ["a.example"])
        #expect(paths(stage) == [nil, nil])
        let first = try #require(answer(stage, .body(Self.picture(1), Validators(etag: "\"1\""))))
        #expect(first.maximumBytes == 512 * 1024)
        #expect(first.accept == "image/png, image/jpeg, image/webp")
        #expect(stage.origin.hosts == ["b.example"])
        _ = answer(stage, .body(Self.picture(2), Validators()))
        #expect(stage.origin.waiting == 0)
        let names = try files(stage)
        #expect(names.count == 2)
        #expect(Set(paths(stage)) == Set(names.map { stage.scratch("\(Stage.cache)/icons/\($0)") }))
        #expect(stage.snapshot.catalog.icons?.arrivals == 2)
        // Asked again, they are fresh.
        ask(stage)
        #expect(stage.origin.waiting == 0)
    }

    @Test func afterTheIntervalTheyAreAskedForConditionally() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators(etag: "\"1\"")))
        let before = paths(stage)
        stage.advance(.seconds(25 * 3600))
        ask(stage)
        #expect(answer(stage, .notModified(Validators()))?.validators == Validators(etag: "\"1\""))
        #expect(paths(stage) == before)
        #expect(stage.snapshot.catalog.icons?.arrivals == 1)
        ask(stage)
        #expect(stage.origin.waiting == 0)
    }

    private static let refused: [OriginReply] = [
        .body(Array("<svg/>".utf8), Validators()), .body([], Validators()),
        .failed(Failure(.httpStatus, "404"), httpStatus: 404, retryAfter: nil),
        .failed(Failure(.timeout, "slow"), httpStatus: nil, retryAfter: nil),
    ]

    @Test(arguments: refused)
    func aFailureIsTriedAgainAfterTheIntervalAndStopsNoOther(reply: OriginReply) throws {
        let stage = try stage()
        ask(stage)
        _ = answer(stage, reply)
        _ = answer(stage, .body(Self.picture(2), Validators()))
        #expect(paths(stage).map { $0 == nil } == [true, false])
        ask(stage)
        #expect(stage.origin.waiting == 0)
        stage.advance(.seconds(24 * 3600))
        ask(stage)
        #expect(stage.origin.hosts.contains("a.example"))
    }

    @Test(arguments: [(OutsideText("7200"), 2), ("864000", 24), ("0", 1)])
    func aHostIsNotAskedUntilItsRetryAfterHasEndedForAnHourAtLeastAndADayAtMost(
        value: OutsideText, hours: Int
    ) throws {
        let stage = try stage(["a.example/0.png", "a.example/1.png", "a.example/2.png", "b.example/3.png"])
        ask(stage)
        _ = answer(stage, .failed(Failure(.httpStatus, "503"), httpStatus: 503, retryAfter: value))
        #expect(stage.origin.hosts == ["b.example"])
        _ = answer(stage, .body(Self.picture(3), Validators()))
        #expect(stage.origin.waiting == 0)
        stage.advance(.seconds(hours * 3600 - 1))
        ask(stage)
        #expect(!stage.origin.hosts.contains("a.example"))
        stage.advance(.seconds(1))
        ask(stage)
        for number in 0...2 {
            #expect(answer(stage, .body(Self.picture(1), Validators()))?.url.target == "/\(number).png")
        }
    }

    @Test func noPictureIsStoredThatHasNoRoom() throws {
        let count = IconBook.maximumTotal / IconBook.maximumSize
        let stage = try stage((0...count).map { "a.example/\($0).png" })
        ask(stage)
        for number in 0...count {
            let picture = Self.picture(UInt8(number))
            let padding = [UInt8](repeating: 0, count: IconBook.maximumSize - picture.count)
            _ = answer(stage, .body(picture + padding, Validators()))
        }
        #expect(try files(stage).count == count)
    }

    @Test func aFullDiskCountsAgainstNoPictureAndIsTriedAgainAfterAnHour() throws {
        let stage = try stage()
        ask(stage)
        // A file in the directory's place refuses all others.
        try PrivateDirectory(path: stage.scratch(Stage.cache)).replace("icons", with: [[]])
        _ = answer(stage, .body(Self.picture(1), Validators()))
        #expect(stage.origin.waiting == 0)
        ask(stage)
        #expect(stage.origin.waiting == 0)
        try PrivateDirectory(path: stage.scratch(Stage.cache)).remove("icons")
        stage.advance(.seconds(3601))
        ask(stage)
        for number: UInt8 in 1...2 { _ = answer(stage, .body(Self.picture(number), Validators())) }
        #expect(paths(stage).compactMap(\.self).count == 2)
    }

    @Test func aNewGenerationDuringARunBeginsAnotherAndWhoWaitsGetsItsPictures() throws {
        let stage = try stage()
        let (gone, kept) = (stage.ask(.icon(app: "app0", wait: true)), stage.ask(.icon(app: "app1", wait: true)))
        stage.advance(.seconds(10))
        let refresh = stage.ask(.refresh(RefreshParameters()))
        let next = Self.catalog(["c.example/2.png", "b.example/1.png"])
        #expect(stage.origin.answer("example.com", .body(next, Validators())))
        #expect(refresh.result?.outcome == .updated)
        #expect(stage.origin.givenUp == 1)
        #expect(gone.value != nil && gone.picture == nil)
        #expect(stage.origin.answer("c.example", .body(Self.picture(2), Validators())))
        #expect(kept.value == nil)
        #expect(stage.origin.answer("b.example", .body(Self.picture(1), Validators())))
        #expect(kept.picture != nil)
        #expect(paths(stage).compactMap(\.self).count == 2)
    }

    @Test func afterAClearTheSamplesPicturesAreNamedOnlyWhenTheyAreThereAgain() throws {
        let stage = try Stage(url: "sample", isOnline: false)
        for _ in 0..<2 {
            ask(stage)
            for _ in 0..<6 { stage.settle() }
            #expect(paths(stage).compactMap(\.self).count == 5)
            #expect(try files(stage).count == 5)
            #expect(stage.ask(.clear()).result(as: ClearResult.self) != nil)
            #expect(paths(stage).compactMap(\.self) == [])
        }
    }

    @Test func theyAreThereAfterARestartAndAClearRemovesThem() throws {
        let first = try stage(["a.example/0.png"])
        ask(first)
        _ = answer(first, .body(Self.picture(1), Validators()))
        let before = paths(first)
        first.onLoop { $0.stop() }
        let second = try stage(scratch: first.scratch)
        #expect(paths(second) == before)
        #expect(try files(second).count == 1)
        #expect(second.ask(.clear()).result(as: ClearResult.self) != nil)
        #expect(try files(second) == [])
        #expect(second.snapshot.catalog.icons == nil)
    }

    @Test func aPictureThatNoGenerationNamesIsRemoved() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        for number in 1...2 {
            stage.advance(.seconds(10))
            let refresh = stage.ask(.refresh(RefreshParameters()))
            stage.origin.answer(.body(Self.catalog(["b.example/\(number).png"]), Validators()))
            #expect(refresh.result?.outcome == .updated)
            // A client may still show the apps of the generation before.
            stage.settle()
            #expect(try files(stage).count == 2 - number)
        }
    }

    @Test func aPictureIsAnsweredAsItLiesOnDiskOrNotAtAll() throws {
        let stage = try stage(["a.example/0.png"])
        let icon = Command.icon(app: "app0")
        #expect(stage.ask(icon).picture == nil)
        // Asking for it has it fetched.
        _ = answer(stage, .body(Self.picture(1), Validators()))
        let picture = try #require(stage.ask(icon).picture)
        #expect(picture.mediaType == "image/png")
        #expect(Data(base64Encoded: Data(picture.base64.bytes)) == Data(Self.picture(1)))
        // All replies share one copy.
        #expect(stage.ask(icon).picture?.base64 === picture.base64)
    }

    @Test func aDamagedFileIsNotServedAndIsFetchedAgain() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        let path = try #require(paths(stage).first ?? nil)
        try PrivateDirectory(path: stage.scratch("\(Stage.cache)/icons")).replace(
            String(path.split(separator: "/").last ?? ""), with: [Self.picture(9)])
        #expect(stage.ask(.icon(app: "app0")).picture == nil)
        #expect(stage.origin.hosts == ["a.example"])
        #expect(paths(stage) == [nil])
    }

    private static let confirmations: [OriginReply] = [
        .notModified(Validators()), .body(catalog(["a.example/0.png", "b.example/1.png"]), Validators()),
    ]

    @Test(arguments: confirmations)
    func aCacheThatSomebodyRemovesComesBackWithTheNextRefreshAndList(reply: OriginReply) throws {
        let stage = try stage(["a.example/0.png", "b.example/1.png"])
        ask(stage)
        for number: UInt8 in 1...2 { _ = answer(stage, .body(Self.picture(number), Validators(etag: "\"1\""))) }
        let before = paths(stage)
        try FileManager.default.removeItem(atPath: stage.scratch("cache"))
        stage.advance(.seconds(60))
        let refresh = stage.ask(.refresh(RefreshParameters()))
        stage.origin.answer(reply)
        #expect(refresh.result?.outcome == .unchanged)
        stage.settle()
        #expect(stage.scratch.read("\(Stage.cache)/catalog") != "")
        #expect(paths(stage) == [nil, nil] && stage.origin.waiting == 0)
        ask(stage)
        for number: UInt8 in 1...2 {
            #expect(answer(stage, .body(Self.picture(number), Validators()))?.validators == Validators())
        }
        #expect(paths(stage) == before)
        #expect(try files(stage).count == 2)
    }

    @Test func whoWaitsForAPictureIsAnsweredWhenItCameOrFailedOrIsCancelled() throws {
        let stage = try stage(["a.example/0.png", "b.example/1.png", "c.example/2.png"])
        let replies = (0...2).map { stage.ask(.icon(app: "app\($0)", wait: true)) }
        #expect(replies.allSatisfy { $0.value == nil })
        _ = answer(stage, .body(Self.picture(1), Validators()))
        #expect(replies[0].picture != nil && replies[1].value == nil)
        _ = answer(stage, .failed(Failure(.httpStatus, "404"), httpStatus: 404, retryAfter: nil))
        #expect(replies[1].value != nil && replies[1].picture == nil && replies[2].value == nil)
        // What has just failed is not waited for.
        #expect(stage.ask(.icon(app: "app1", wait: true)).value != nil)
        stage.onLoop { $0.stop() }
        #expect(replies[2].value != nil && replies[2].picture == nil)
    }

    @Test func anOldPictureIsAnsweredAtOnceAndNobodyWaitsUnasked() throws {
        let stage = try stage(["a.example/0.png"])
        #expect(stage.ask(.icon(app: "app0")).value != nil)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        stage.advance(.seconds(25 * 3600))
        #expect(stage.ask(.icon(app: "app0", wait: true)).picture != nil)
        #expect(stage.origin.waiting == 1)
    }

    @Test(arguments: ["{", "", "{\"format\":1}"])
    func aBookThatIsNotValidIsForgotten(text: String) throws {
        let scratch = try ScratchDirectory()
        let icons = PrivateDirectory(path: scratch("\(Stage.cache)/icons"))
        try icons.replace("book.json", with: [Array(text.utf8)])
        let stage = try Stage(scratch: scratch)
        stage.origin.answer(.body(Self.catalog(["a.example/0.png"]), Validators()))
        stage.settle()
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        #expect(paths(stage).compactMap(\.self).count == 1)
    }
}
