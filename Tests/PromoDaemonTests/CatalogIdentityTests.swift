import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// One address is one catalog, whatever it is called, by however many files.
struct CatalogIdentityTests {
    private static let one = "https://one.example/c.json"
    private static let two = "https://two.example/c.json"
    private let sample = OriginReply.body(SampleCatalog.bytes, Validators())
    private let acme = CatalogReference.name("acme")

    /// A stage on which `acme` is served from ``one``, beside a default catalog of another address.
    private func stage(scratch: ScratchDirectory? = nil) throws -> Stage {
        let stage = try Stage(scratch: scratch, url: "https://default.example/c.json")
        stage.drop(in: ["acme": Self.one])
        stage.readDropIns()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        return stage
    }

    private func isServed(_ stage: Stage, _ reference: CatalogReference) -> Bool {
        stage.snapshot.catalog(reference)?.served != nil
    }

    /// Two names may have asked an address.
    @Test func onlyALaterScheduleIsAdopted() throws {
        var schedules = ScheduleStore(directory: PrivateDirectory(path: try ScratchDirectory()("cache")))
        let assignment = CatalogRefresher.Assignment(
            Configuration(), CatalogConfiguration(), isUnknown: true)
        let asked = Timestamp(seconds: 1_800_000_000)
        var schedule = RefreshSchedule()
        (schedule.attempt, schedule.lastAttemptAt) = (3, asked)
        schedules.keep(schedule, of: "https://a.example/c.json")
        var other = schedules.schedule(of: assignment)
        for (seconds, adopted) in [(-1, 3), (1, 7)] {
            (other.attempt, other.lastAttemptAt) = (7, asked + .seconds(seconds))
            schedules.adopt(other)
            #expect(schedules.schedule(of: assignment).attempt == adopted)
        }
    }

    @Test(arguments: [false, true])
    func anEarlierNameOfAServedAddressTakesNothingFromIt(isBroken: Bool) throws {
        let stage = try stage()
        stage.drop(in: ["acme": Self.one, "aaa": Self.one], broken: isBroken ? ["aaa": "aaa.toml:2: no"] : [:])
        stage.readDropIns()
        for reference in [acme, .name("aaa"), .address(Self.one)] {
            let found = stage.snapshot.catalog(reference)
            #expect(found?.name == "acme" && found?.served != nil && found?.error == nil)
        }
        let status = stage.snapshot.catalogs[1].status(now: stage.now)
        #expect(status.aliases.map(\.name) == ["aaa"] && (status.aliases[0].error != nil) == isBroken)
        #expect(stage.origin.waiting == 0, "nothing new to fetch")
    }

    @Test func aCatalogThatIsCalledOtherwiseKeepsItsCache() throws {
        let stage = try stage()
        stage.drop(in: ["renamed": Self.one])
        stage.readDropIns()
        #expect(isServed(stage, .name("renamed")) && !isServed(stage, acme))
        #expect(stage.scratch.read("cache/catalogs/renamed/catalog") != "")
        let fetchedAt = stage.snapshot.catalog(.name("renamed"))?.served?.fetchedAt
        #expect(fetchedAt == stage.snapshot.catalog.served?.fetchedAt, "it is no younger")
    }

    @Test func anAddressThatBecomesTheDefaultOneKeepsItsCache() throws {
        let stage = try stage()
        stage.configure(url: Self.one)
        _ = stage.ask(.reload).result(as: ReloadResult.self)
        let found = try #require(stage.snapshot.catalog(acme))
        #expect(found.name == "default" && found.served != nil && stage.snapshot.others.isEmpty)
        // And back again.
        stage.configure(url: "https://default.example/c.json")
        _ = stage.ask(.reload).result(as: ReloadResult.self)
        #expect(stage.snapshot.catalog(acme)?.name == "acme" && isServed(stage, acme))
    }

    @Test func newFilesPushOutNoCatalogThatIsServedAlsoAfterARestart() throws {
        let stage = try stage()
        var addresses = ["acme": Self.one]
        for number in 10..<60 { addresses["a\(number)"] = "https://a\(number).example/" }
        stage.drop(in: addresses)
        stage.readDropIns()
        #expect(isServed(stage, acme) && stage.snapshot.catalogs.count == 32)
        #expect(stage.snapshot.configuration.ignored.count == 20 && stage.snapshot.configuration.ignoredMore == 0)
        let again = try Stage(scratch: stage.scratch, initial: .loaded(stage.loaded))
        #expect(isServed(again, acme) && again.snapshot.catalogs.count == 32)
        let error = #expect(throws: RequestError.self) { try again.snapshot.find(.name("a59")) }
        #expect(error?.message.contains("a59.toml: there are 32 catalogs already") == true)
    }

    @Test(arguments: [false, true])
    func catalogsThatSwapTheirNamesKeepTheirCaches(isRestarted: Bool) throws {
        var stage = try stage()
        stage.drop(in: ["acme": Self.one, "zed": Self.two])
        stage.readDropIns()
        stage.origin.answer("two.example", sample)
        stage.settle()
        stage.drop(in: ["acme": Self.two, "zed": Self.one])
        if isRestarted {
            stage = try Stage(scratch: stage.scratch, initial: .loaded(stage.loaded))
        } else {
            stage.readDropIns()
        }
        #expect(isServed(stage, acme) && isServed(stage, .name("zed")))
        #expect(stage.scratch.read("cache/catalogs/acme/catalog").contains(Self.two))
        #expect(stage.scratch.read("cache/catalogs/zed/catalog").contains(Self.one))
    }

    @Test func aCacheIsCopiedBeforeItsOwnCatalogChanges() throws {
        let stage = try stage()
        // The default catalog and `acme` swap their addresses, too.
        stage.drop(in: ["acme": "https://default.example/c.json"])
        stage.configure(url: Self.one)
        _ = stage.ask(.reload).result(as: ReloadResult.self)
        #expect(isServed(stage, .name("default")) && isServed(stage, acme))
    }

    @Test func anotherPasswordMakesNoOtherCatalog() throws {
        let stage = try Stage(url: nil)
        stage.drop(in: ["acme": "https://me:one@one.example/c.json"])
        stage.readDropIns()
        stage.origin.answer("one.example", sample)
        stage.settle()
        stage.drop(in: ["acme": "https://me:two@one.example/c.json"])
        stage.readDropIns()
        #expect(isServed(stage, acme))
        #expect(try isServed(Stage(scratch: stage.scratch, initial: .loaded(stage.loaded)), acme))
    }

    @Test func aCatalogThatIsCalledOtherwiseKeepsItsPlace() throws {
        let stage = try Stage(url: nil)
        var addresses = ["zed": "https://zed.example/"]
        for number in 10..<41 { addresses["a\(number)"] = "https://a\(number).example/" }
        stage.drop(in: addresses.filter { $0.key != "zed" })
        stage.readDropIns()
        stage.drop(in: addresses)
        stage.readDropIns()
        // Another publisher takes the name, too.
        (addresses["zzz"], addresses["a10"]) = (addresses["a10"], "https://other.example/")
        for isRestarted in [false, true] {
            stage.drop(in: addresses)
            stage.readDropIns()
            let stage = isRestarted ? try Stage(scratch: stage.scratch, initial: .loaded(stage.loaded)) : stage
            #expect(stage.snapshot.catalog(.name("zzz"))?.name == "zzz", "\(isRestarted)")
            #expect(stage.snapshot.catalog(.name("zed")) == nil && stage.snapshot.catalog(.name("a10")) == nil)
        }
    }

    @Test(arguments: [nil, Self.one])
    func aNameIsNotPushedOutByANewOne(url: String?) throws {
        let stage = try Stage(url: url)
        var addresses = url == nil ? ["main": Self.one] : [:]
        for number in 10..<26 { addresses["m\(number)"] = Self.one }
        stage.drop(in: addresses)
        stage.readDropIns()
        addresses["a00"] = Self.one
        stage.drop(in: addresses)
        stage.readDropIns()
        #expect(stage.snapshot.catalog(.name("m25")) != nil && stage.snapshot.catalog(.name("a00")) == nil)
    }

    @Test func theWaitThatAnOriginAskedForGoesWithTheAddress() throws {
        let stage = try Stage(url: nil)
        let refusal = OriginReply.failed(
            Failure(.httpStatus, "It answers 503."), httpStatus: 503, retryAfter: OutsideText("3600"))
        var requests = 0
        for name in ["aa", "bb", "cc", "aa", "bb"] {
            stage.drop(in: [name: Self.one])
            stage.readDropIns()
            for host in stage.origin.hosts {
                requests += 1
                stage.origin.answer(host, refusal)
            }
            stage.settle()
            let refresh = stage.snapshot.catalog(.name(name))?.refresh
            #expect(requests == 1 && refresh?.attempt == 1 && refresh?.retryAfter != nil, "\(name)")
            stage.advance(.seconds(60))
        }
    }
}
