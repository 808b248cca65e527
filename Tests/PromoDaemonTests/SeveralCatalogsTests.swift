@testable import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// One keeper with several catalogs.
struct SeveralCatalogsTests {
    private let sample = OriginReply.body(SampleCatalog.bytes, Validators())
    private let acme = CatalogReference.name("acme")

    private static let addresses = ["acme": "https://acme.example/c.json", "zed": "https://zed.example/c.json"]
    private static let digests = ["default": "https://default.example/c.json"].merging(addresses) { $1 }.mapValues {
        Digest(of: Array($0.utf8)).short
    }

    private func cache(_ name: String) -> String { "cache/catalogs/\(Self.digests[name] ?? "")" }

    /// A stage on which `acme` and `zed` are dropped in beside the default catalog.
    private func stage(scratch: ScratchDirectory? = nil, url: String? = "https://default.example/c.json") throws
        -> Stage
    {
        try Stage(scratch: scratch, url: url, addresses: Self.addresses)
    }

    private func state(_ stage: Stage, _ name: String) -> Freshness.State? {
        stage[name]?.freshness(now: stage.now).state
    }

    @Test func moreCatalogsThanTheLimitAreAProblem() throws {
        let names = (0...CatalogRoster.maximumCount).map { "c\(1000 + $0)" }
        let addresses = Dictionary(uniqueKeysWithValues: names.map { ($0, "https://\($0).example/c.json") })
        let stage = try Stage(url: nil, addresses: addresses)
        #expect(stage.snapshot.catalogs.map(\.name) == names.dropLast())
        #expect(stage.snapshot.problems.map(\.code.known) == [.limit])
    }

    @Test func anAppsCatalogIsFetchedWhenAClientAsksAndRestsAfterAMonth() throws {
        let name = "app-notes"
        let addresses = [name: "https://acme.example/c.json"]
        let (day, almost) = (Duration.seconds(86_400), CatalogRoster.restAfter - .seconds(86_400))
        func ask(_ stage: Stage) {
            stage.onLoop { $0.commands.answered(Request(.list(ListParameters()), of: .name(name))) }
        }
        func standing(_ stage: Stage) -> [String?] {
            let status = stage[name]?.status(now: stage.now)
            return [status?.freshness.state.rawValue, status?.nextReason.known?.rawValue]
        }
        let stage = try Stage(url: nil, addresses: addresses)
        #expect(stage.origin.hosts == [])
        #expect(standing(stage) == ["empty", "resting"])
        // A client that has asked may wait.
        #expect(state(stage, name) == .loading)
        for _ in 1...2 {
            ask(stage)
            #expect(stage.origin.answer("acme.example", sample))
            stage.settle()
            #expect(standing(stage) == ["fresh", "expiry"])
            stage.advance(almost)
        }
        stage.readDropIns()
        #expect(stage[name]?.status(now: stage.now).nextAt != nil)
        stage.advance(day * 2)
        stage.readDropIns()
        #expect(standing(stage) == ["expired", "resting"])
        let next = try Stage(scratch: stage.scratch, url: nil, addresses: addresses)
        next.advance((almost + day) * 2)
        next.readDropIns()
        #expect(standing(next) == ["expired", "resting"])
        ask(next)
        #expect(next.origin.hosts == ["acme.example"])
    }

    @Test func clearIsAboutOneCatalog() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        #expect(stage.ask(.clear(), of: acme).result(as: ClearResult.self) != nil)
        #expect(["acme", "default"].map { stage.scratch.read("\(cache($0))/catalog").isEmpty } == [true, false])
        #expect(["acme", "default", "zed"].map { state(stage, $0) } == [.loading, .fresh, .fresh])
    }

    @Test func aFetchGoesOnUnderAnotherNameWhichItsRecordsHave() throws {
        let stage = try stage(url: nil)
        let refresh = stage.ask(.refresh(RefreshParameters()), of: acme)
        stage.drop(in: ["other": "https://acme.example/c.json", "zed": "https://zed.example/c.json"])
        stage.readDropIns()
        #expect(state(stage, "other") == .loading)
        #expect(stage.origin.givenUp == 0)
        stage.origin.answer("acme.example", sample)
        #expect(refresh.result?.outcome == .updated)
        #expect(state(stage, "other") == .fresh)
        #expect(stage.log.messages.contains { $0.hasPrefix("other: The catalog was updated") })
    }

    @Test func whoWaitsWhileAFetchIsCancelledForOtherSettingsGetsTheNextOutcome() throws {
        let stage = try stage(url: nil)
        let (refresh, list) = (stage.ask(.refresh(RefreshParameters()), of: acme), stage.awaitFetch(of: acme))
        stage.drop(in: ["acme": "https://user:word@acme.example/c.json"])
        stage.readDropIns()
        // Of zed, and of the first address.
        #expect(stage.origin.givenUp == 2)
        stage.origin.answer("acme.example", .failed(Failure(.connect, "late"), httpStatus: nil, retryAfter: nil))
        stage.advance(.seconds(2))
        #expect(stage.ask(.refresh(RefreshParameters(wait: false)), of: acme).result?.outcome == .started)
        #expect(refresh.value == nil)
        #expect(!list.isOpen)
        #expect(stage["acme"]?.schedule.record.failures == 0)
        stage.origin.answer("acme.example", sample)
        #expect(refresh.result?.outcome == .updated)
        #expect(list.isOpen)
    }

    @Test func whoWaitsWhileAFileBreaksLearnsThatAndWhatIsServedStays() throws {
        let stage = try stage(url: nil)
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        stage.advance(.seconds(86_400))
        let (refresh, list) = (stage.ask(.refresh(RefreshParameters()), of: acme), stage.awaitFetch(of: acme))
        stage.drop(in: ["zed": "https://zed.example/c.json"], broken: ["acme"])
        stage.readDropIns()
        #expect(refresh.error?.reason == .noOrigin)
        #expect(refresh.error?.message.contains("acme.toml:1") == true)
        #expect(list.isOpen)
        #expect(stage.origin.givenUp == 1)
        #expect(state(stage, "acme") == .expired)
        stage.drop(in: Self.addresses)
        stage.readDropIns()
        #expect(stage["acme"]?.schedule.next != nil)
        #expect(stage["acme"]?.schedule.record.failures == 0)
    }

    @Test func whileTheConfigurationIsBrokenNoCacheGoesAndNothingIsFetched() throws {
        let before = try stage()
        for host in before.origin.hosts { before.origin.answer(host, sample) }
        before.settle()
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "no")])
        let stage = try Stage(
            scratch: before.scratch, url: "https://default.example/c.json", addresses: Self.addresses, problem: problem)
        stage.advance(CatalogCaches.retention * 100)
        stage.readDropIns()
        #expect(["default", "acme", "zed"].map { state(stage, $0) } == [.expired, .expired, .expired])
        #expect(stage.origin.waiting == 0)
        #expect(stage.scratch.read("\(cache("acme"))/catalog") != "")
    }
}
