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

    /// Has the catalog fetched again, which has not changed.
    private func refresh(_ stage: Stage, _ reply: OriginReply = .notModified(Validators())) {
        stage.advance(.seconds(61))
        let refresh = stage.ask(.refresh(RefreshParameters()))
        #expect(stage.origin.answer("example.com", reply))
        #expect(refresh.result?.outcome != .failed)
        stage.settle()
    }

    @Test func theyAreFetchedOneAtATimeAndStored() throws {
        let stage = try stage()
        ask(stage)
        #expect(stage.origin.hosts == ["a.example"])
        #expect(paths(stage) == [nil, nil])
        let first = try #require(answer(stage, .body(Self.picture(1), Validators(etag: "\"1\""))))
        #expect(first.maximumBytes == IconBook.maximumSize)
        #expect(first.accept == "image/png, image/jpeg, image/webp")
        #expect(stage.origin.hosts == ["b.example"])
        _ = answer(stage, .body(Self.picture(2), Validators()))
        #expect(stage.origin.waiting == 0)
        let names = try files(stage)
        #expect(names.count == 2)
        #expect(Set(paths(stage)) == Set(names.map { stage.scratch("\(Stage.cache)/icons/\($0)") }))
        #expect(stage.snapshot.catalog.icons?.arrivals == 2)
        ask(stage)
        #expect(stage.origin.waiting == 0)
    }

    @Test func afterEachFetchOfTheCatalogThatFollowsAnAskTheyAreAskedForConditionally() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators(etag: "\"1\"")))
        let before = paths(stage)
        stage.advance(.seconds(25 * 3600))
        ask(stage)
        #expect(stage.origin.waiting == 0)
        for tag: OutsideText in ["\"1\"", "\"2\""] {
            refresh(stage)
            #expect(answer(stage, .notModified(Validators(etag: "\"2\"")))?.validators == Validators(etag: tag))
            ask(stage)
            #expect(stage.origin.waiting == 0)
        }
        #expect(paths(stage) == before)
        #expect(stage.snapshot.catalog.icons?.arrivals == 1)
        refresh(stage)
        #expect(answer(stage, .body(Self.picture(2), Validators())) != nil)
        #expect(paths(stage) != before)
        #expect(stage.snapshot.catalog.icons?.arrivals == 2)
        // Nobody has asked since.
        refresh(stage)
        #expect(stage.origin.waiting == 0)
    }

    @Test func aListThatIsOpenedOfflineHasItsPicturesWhenTheNetworkAppears() throws {
        let stage = try stage()
        stage.isOnline = false
        ask(stage)
        #expect(stage.origin.waiting == 0)
        stage.isOnline = true
        stage.onLoop { $0.catalogs.forEach { $0.icons.networkReady() } }
        for number: UInt8 in 1...2 { _ = answer(stage, .body(Self.picture(number), Validators())) }
        #expect(paths(stage).compactMap(\.self).count == 2)
        stage.onLoop { $0.catalogs.forEach { $0.icons.networkReady() } }
        #expect(stage.origin.waiting == 0)
    }

    private static let refused: [OriginReply] = [
        .body(Array("<svg/>".utf8), Validators()), .body([], Validators()),
        .failed(Failure(.httpStatus, "404"), httpStatus: 404, retryAfter: nil),
        .failed(Failure(.timeout, "slow"), httpStatus: nil, retryAfter: nil),
    ]

    @Test(arguments: refused)
    func aFailureWaitsForTheNextRunAndStopsNoOther(reply: OriginReply) throws {
        let stage = try stage()
        ask(stage)
        _ = answer(stage, reply)
        _ = answer(stage, .body(Self.picture(2), Validators()))
        #expect(paths(stage).map { $0 == nil } == [true, false])
        stage.advance(.seconds(24 * 3600))
        ask(stage)
        #expect(stage.origin.waiting == 0)
        refresh(stage)
        #expect(stage.origin.hosts == ["a.example"])
    }

    @Test func aHostThatAsksToBeLeftAloneForADayGetsOneRequestHoweverManyRunsFollow() throws {
        var stage = try stage(["a.example/0.png", "a.example/1.png", "b.example/2.png"])
        let (begin, hour) = (stage.now, Duration.seconds(3600))
        ask(stage)
        _ = answer(stage, .failed(Failure(.unavailable, "429"), httpStatus: 429, retryAfter: hour * 24))
        _ = answer(stage, .body(Self.picture(2), Validators()))
        for hours in [1, 12, 23] {
            stage.onLoop { $0.stop() }
            stage = try self.stage(scratch: stage.scratch)
            stage.advance(begin + hour * hours - stage.now)
            ask(stage)
            refresh(stage)
            #expect(stage.origin.answer("b.example", .notModified(Validators())), "after \(hours) hours")
            stage.settle()
            #expect(stage.origin.waiting == 0, "after \(hours) hours")
        }
        stage.advance(hour)
        ask(stage)
        refresh(stage)
        for number in 0...1 {
            #expect(answer(stage, .body(Self.picture(1), Validators()))?.url.target == "/\(number).png")
        }
    }

    @Test func noPictureIsFetchedThatMayHaveNoRoom() throws {
        let count = IconBook.maximumTotal / IconBook.maximumSize
        let stage = try stage((0...count).map { "a.example/\($0).png" })
        ask(stage)
        for number in 0..<count {
            let picture = Self.picture(UInt8(number))
            let padding = [UInt8](repeating: 0, count: IconBook.maximumSize - picture.count)
            _ = answer(stage, .body(picture + padding, Validators()))
        }
        #expect(try files(stage).count == count)
        #expect(stage.origin.waiting == 0)
    }

    @Test func picturesThatAFullDiskRefusesComeWithTheNextRun() throws {
        let stage = try stage(["a.example/0.png", "a.example/1.png", "a.example/2.png"])
        ask(stage)
        // A file in the directory's place refuses all others.
        try PrivateDirectory(path: stage.scratch(Stage.cache)).replace("icons", with: [[]])
        for number: UInt8 in 1...2 { _ = answer(stage, .body(Self.picture(number), Validators())) }
        // It would refuse the next one, too.
        #expect(stage.origin.waiting == 0)
        try PrivateDirectory(path: stage.scratch(Stage.cache)).remove("icons")
        refresh(stage)
        for number: UInt8 in 1...3 { _ = answer(stage, .body(Self.picture(number), Validators())) }
        #expect(paths(stage).compactMap(\.self).count == 3)
    }

    @Test func aNewGenerationDuringARunChangesItAndWhoWaitsGetsItsPictures() throws {
        let stage = try stage(["a.example/0.png", "d.example/3.png", "b.example/1.png"])
        let replies = (0...2).map { stage.ask(.icon(app: "app\($0)", wait: true)) }
        refresh(stage, .body(Self.catalog(["c.example/2.png", "b.example/1.png"]), Validators()))
        #expect(replies.map { $0.value != nil } == [false, true, false])
        #expect(replies[1].picture == nil)
        for (number, host) in ["a.example", "c.example"].enumerated() {
            #expect(stage.origin.answer(host, .body(Self.picture(UInt8(number)), Validators())))
            stage.settle()
        }
        #expect(replies.map { $0.value != nil } == [true, true, false])
        #expect(stage.origin.answer("b.example", .body(Self.picture(3), Validators())))
        #expect(replies[2].picture != nil)
        #expect(paths(stage).compactMap(\.self).count == 2)
        #expect(stage.origin.givenUp == 0)
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

    @Test func aClearDuringARunCancelsItsFetch() throws {
        let stage = try stage()
        ask(stage)
        #expect(stage.ask(.clear()).result(as: ClearResult.self) != nil)
        #expect(stage.origin.givenUp == 1)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        #expect(paths(stage).compactMap(\.self) == [])
    }

    @Test func whileTheFileOfTheCatalogIsBrokenNoneAreFetched() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        stage.configure("broken")
        _ = stage.ask(.reload).value
        #expect(stage.origin.givenUp == 1)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        ask(stage)
        #expect(stage.origin.waiting == 0)
        #expect(paths(stage) == [nil])
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
        #expect(paths(second) == [])
    }

    @Test func aPictureThatTheCatalogDoesNotNameAnyMoreIsRemovedByTheNextRun() throws {
        let stage = try stage(["a.example/0.png"])
        ask(stage)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        refresh(stage, .body(Self.catalog(["b.example/1.png"]), Validators()))
        _ = answer(stage, .body(Self.picture(2), Validators()))
        #expect(paths(stage) == [stage.scratch("\(Stage.cache)/icons/\(try #require(files(stage).first))")])
        #expect(try files(stage).count == 1)
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

    @Test func picturesWhoseFilesSomebodyRemovesComeBackWithTheNextRun() throws {
        let stage = try stage(["a.example/0.png", "b.example/1.png"])
        ask(stage)
        for number: UInt8 in 1...2 { _ = answer(stage, .body(Self.picture(number), Validators(etag: "\"1\""))) }
        let before = paths(stage)
        try FileManager.default.removeItem(atPath: stage.scratch("cache"))
        refresh(stage)
        for _ in 1...2 { _ = answer(stage, .notModified(Validators())) }
        #expect(paths(stage) == [nil, nil])
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
        func areAnswered() -> [Bool] { replies.map { $0.value != nil } }
        #expect(areAnswered() == [false, false, false])
        _ = answer(stage, .body(Self.picture(1), Validators()))
        #expect(areAnswered() == [true, false, false])
        _ = answer(stage, .failed(Failure(.httpStatus, "404"), httpStatus: 404, retryAfter: nil))
        #expect(areAnswered() == [true, true, false])
        // What has just failed is not waited for.
        #expect(stage.ask(.icon(app: "app1", wait: true)).value != nil)
        stage.onLoop { $0.stop() }
        #expect(areAnswered() == [true, true, true])
        #expect(replies.map { $0.picture != nil } == [true, false, false])
    }

    @Test func aKeptPictureIsAnsweredAtOnceAndNobodyWaitsUnasked() throws {
        let stage = try stage(["a.example/0.png"])
        #expect(stage.ask(.icon(app: "app0")).value != nil)
        _ = answer(stage, .body(Self.picture(1), Validators()))
        refresh(stage)
        #expect(stage.origin.waiting == 1)
        #expect(stage.ask(.icon(app: "app0", wait: true)).picture != nil)
        #expect(stage.origin.waiting == 1)
    }
}
