import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// One control plane with several catalogs.
struct SeveralCatalogsTests {
    private let sample = OriginReply.body(SampleCatalog.bytes, Validators())
    private let acme = CatalogReference.name("acme")

    /// A stage on which `acme` and `zed` are dropped in beside the default catalog.
    private func stage(scratch: ScratchDirectory? = nil, url: String? = "https://default.example/c.json") throws
        -> Stage
    {
        let stage = try Stage(scratch: scratch, url: url)
        stage.drop(in: ["acme": "https://acme.example/c.json", "zed": "https://zed.example/c.json"])
        stage.readDropIns()
        return stage
    }

    private func state(_ stage: Stage, _ name: String) -> Freshness.State? {
        stage.snapshot.catalog(.name(name))?.freshness(now: stage.now).state
    }

    @Test func aSlowOriginAndADeadOneDelayNoOther() throws {
        let stage = try stage()
        #expect(stage.origin.hosts == ["acme.example", "default.example", "zed.example"])
        stage.origin.answer("zed.example", sample)
        stage.origin.answer(
            "acme.example", .failed(Failure(.connect, "Nobody is there."), httpStatus: nil, retryAfter: nil))
        stage.settle()
        #expect(state(stage, "zed") == .loaded && state(stage, "acme") == .empty && state(stage, "default") == .loading)
        stage.advance(.seconds(86_400))
        #expect(stage.snapshot.catalog(acme)?.refresh.attempt == 1 && stage.snapshot.catalog.refresh.attempt == 0)
    }

    @Test func theFetchOfTheDefaultOneWaitsBehindNoOther() throws {
        let stage = try Stage(url: nil)
        stage.drop(in: ["acme": "https://acme.example/c.json", "zed": "https://zed.example/c.json"])
        stage.configure(url: "https://default.example/c.json")
        _ = stage.ask(.reload).result(as: ReloadResult.self)
        #expect(stage.origin.waiting == 3)
        #expect(stage.origin.answer(sample)?.url.host == "default.example")
    }

    @Test func eachHasItsOwnFilesAndTheDefaultOneKeepsIts() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        for file in [
            "catalog", "schedule.json", "catalogs/acme/catalog", "catalogs/acme/schedule.json", "catalogs/zed/catalog",
        ] {
            #expect(stage.scratch.read("cache/\(file)") != "", "\(file)")
        }
        let again = try self.stage(scratch: stage.scratch)
        #expect(state(again, "acme") == .loaded && state(again, "default") == .loaded && again.origin.waiting == 0)
    }

    @Test func aDropInHasItsFileAndItsAddress() throws {
        let stage = try stage(url: nil)
        #expect(stage.snapshot.catalog(acme)?.refresh.url == "https://acme.example/c.json")
        #expect(stage.snapshot.catalog(acme)?.file == "/data/promod/catalogs.d/acme.toml")
    }

    @Test func aClientCanWaitForTheFirstFetchOfACatalogThatWasJustFound() throws {
        let stage = try stage(url: nil)
        let gate = stage.awaitFetch(of: acme)
        #expect(state(stage, "acme") == .loading)
        stage.origin.answer("acme.example", sample)
        #expect(gate.pass() && state(stage, "acme") == .loaded)
    }

    @Test func aCatalogThatIsGoneIsNotFetchedAnyMoreAndItsWaitersAreAnswered() throws {
        let stage = try stage(url: nil)
        let refresh = stage.ask(.refresh(RefreshParameters()), of: acme)
        stage.drop(in: ["zed": "https://zed.example/c.json"])
        stage.readDropIns()
        #expect(
            refresh.result?.error?.message == "promod no longer keeps this catalog, and the fetch was cancelled."
        )
        #expect(stage.origin.givenUp == 1 && stage.snapshot.catalogs.map(\.name) == ["default", "zed"])
        guard case .refused(let error) = stage.ask(.refresh(RefreshParameters()), of: acme).value else {
            Issue.record("an unknown catalog was refreshed")
            return
        }
        #expect(error.reason == .unknownCatalog)
    }

    @Test func anotherAddressOfADropInIsAnotherCatalog() throws {
        let stage = try stage(url: nil)
        stage.origin.answer("acme.example", sample)
        stage.settle()
        stage.drop(in: ["acme": "https://moved.example/c.json", "zed": "https://zed.example/c.json"])
        stage.readDropIns()
        #expect(state(stage, "acme") == .loading && stage.origin.hosts == ["moved.example", "zed.example"])
    }

    @Test func clearIsAboutOneCatalog() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        #expect(stage.ask(.clear, of: acme).result(as: ClearResult.self) != nil)
        #expect(stage.scratch.read("cache/catalogs/acme/catalog") == "" && stage.scratch.read("cache/catalog") != "")
        #expect(state(stage, "default") == .loaded && state(stage, "zed") == .loaded && state(stage, "acme") != .loaded)
    }

    @Test func anAddressFindsTheFirstCatalogByName() throws {
        let stage = try Stage(url: "https://shared.example/c.json")
        stage.drop(in: ["acme": "https://shared.example/c.json?key=1", "zed": "https://shared.example/c.json"])
        stage.readDropIns()
        #expect(stage.snapshot.catalog(.address("https://shared.example/c.json"))?.name == "acme")
        #expect(stage.snapshot.catalog(nil)?.name == "default")
    }

    @Test func aBrokenDropInIsServedFromItsCacheAndNotFetched() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        let broken = try Stage(scratch: stage.scratch, url: "https://default.example/c.json")
        broken.drop(in: ["acme": "https://acme.example/c.json"], broken: ["zed": "zed.toml:1: no"])
        broken.readDropIns()
        #expect(state(broken, "zed") == .loaded && broken.snapshot.catalog(.name("zed"))?.error == "zed.toml:1: no")
        #expect(state(broken, "acme") == .loaded && broken.origin.waiting == 0)
        #expect(broken.snapshot.catalog(.address("https://zed.example/c.json"))?.name == "zed")
        guard case .refused(let error) = broken.ask(.refresh(RefreshParameters()), of: .name("zed")).value else {
            Issue.record("a broken catalog was refreshed")
            return
        }
        #expect(error.reason == .noOrigin && error.message.contains("zed.toml:1: no"))
        broken.drop(in: ["acme": "https://acme.example/c.json", "zed": "https://zed.example/c.json"])
        broken.advance(.seconds(86_400))
        broken.readDropIns()
        #expect(
            broken.snapshot.catalog(.name("zed"))?.error == nil
                && broken.snapshot.catalog(.name("zed"))?.refresh.nextAt != nil)
    }

    @Test func whileTheConfigurationIsBrokenEveryCacheIsServedAndNothingIsFetched() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "no")])
        let broken = try Stage(scratch: stage.scratch, initial: .broken(problem, file: "config.toml"))
        #expect(["default", "acme", "zed"].allSatisfy { state(broken, $0) == .loaded })
        broken.advance(.seconds(40 * 86_400))
        broken.readDropIns()
        #expect(broken.origin.waiting == 0 && state(broken, "acme") == .cached, "its cache stays too")
    }

    @Test func whileTheConfigurationIsBrokenMasksAndTheLimitStillCount() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        for number in 0..<60 {
            try stage.scratch.write("cache/catalogs/old-\(number)/catalog", stage.scratch.read("cache/catalog"))
        }
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "no")])
        let directory = try ScratchDirectory()
        try directory.write("acme.toml", "")
        try directory.write("zed.toml", "url = \"https://zed.example/c.json\"\n")
        let dropIns = DropInCatalogs(in: [directory.path])
        let broken = try Stage(
            scratch: stage.scratch, initial: .broken(problem, file: "config.toml", dropIns: dropIns))
        #expect(broken.snapshot.catalogs.count == 32 && broken.snapshot.catalog(acme) == nil)
        let zed = broken.snapshot.catalog(.address("https://zed.example/c.json"))
        #expect(zed?.served != nil && zed?.error?.contains("config.toml:1") == true)
    }

    @Test func theStateOfEachIsInTheStatus() throws {
        let stage = try stage()
        stage.origin.answer("acme.example", sample)
        stage.settle()
        let status = stage.snapshot.catalogs.map { $0.status(now: stage.now) }
        #expect(status.map(\.name) == ["default", "acme", "zed"])
        #expect(status.map(\.apps) == [0, 5, 0])
        #expect(status[1].cache.path == stage.scratch("cache/catalogs/acme/catalog"))
    }
}
