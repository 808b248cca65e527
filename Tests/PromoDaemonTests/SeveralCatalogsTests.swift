import PromoCore
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

    @Test func aRenamedFileHasTheCacheOfItsAddress() throws {
        let stage = try stage(url: nil)
        stage.origin.answer("acme.example", sample)
        stage.settle()
        stage.drop(in: ["other": "https://acme.example/c.json"])
        stage.readDropIns()
        #expect(state(stage, "other") == .fresh && state(stage, "acme") == nil)
        #expect(!stage.origin.hosts.contains("acme.example"))
    }

    @Test func filesOfOneAddressAreFetchedOnce() throws {
        let names = ["acme-1", "acme-2", "acme-3", "acme-4", "acme-5"]
        let stage = try Stage(
            url: nil, addresses: Dictionary(uniqueKeysWithValues: names.map { ($0, "https://acme.example/c.json") }))
        #expect(stage.origin.hosts == ["acme.example"])
        stage.origin.answer("acme.example", sample)
        stage.settle()
        #expect(names.allSatisfy { state(stage, $0) == .fresh } && stage.snapshot.catalogs.map(\.name) == ["acme-1"])
    }

    @Test func asManyCatalogsAsTheLimitAreKeptAndOfThoseOfAppsTheOnesAskedForLast() throws {
        let names = (0...CatalogRoster.maximumCount).map { String(1000 + $0) }
        func addresses(_ prefix: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: names.map { (prefix + $0, "https://a\($0).example/c.json") })
        }
        let full = try Stage(url: nil, addresses: addresses("c"))
        #expect(full.snapshot.catalogs.map(\.name) == names.dropLast().map { "c\($0)" })
        #expect(full.snapshot.problems.map(\.code.known) == [.limit])
        let apps = try Stage(url: nil, addresses: addresses("app-"))
        for name in names {
            apps.onLoop { $0.commands.answered(Request(.list(ListParameters()), of: .name("app-\(name)"))) }
            if name == names.first { apps.advance(.seconds(86_400)) }
        }
        apps.readDropIns()
        let resting = apps.snapshot.catalogs.filter { $0.status(now: apps.now).nextReason == .resting }
        #expect(resting.map(\.name) == ["app-1000"])
    }

    @Test func anAppsCatalogIsFetchedWhenAClientAsksAndRestsAfterAMonth() throws {
        let name = "app-notes"
        let stage = try Stage(url: nil, addresses: [name: "https://acme.example/c.json"])
        func ask() {
            stage.onLoop { $0.commands.answered(Request(.list(ListParameters()), of: .name(name))) }
        }
        #expect(stage.origin.hosts == [] && stage[name]?.status(now: stage.now).nextAt == nil)
        let status = try #require(stage[name]?.status(now: stage.now))
        #expect(status.nextReason == .resting && status.freshness.state == .empty)
        // A client that has asked may wait.
        #expect(state(stage, name) == .loading)
        ask()
        #expect(stage.origin.answer("acme.example", sample))
        stage.settle()
        #expect(state(stage, name) == .fresh && stage[name]?.status(now: stage.now).nextReason == .expiry)
        stage.advance(.seconds(29 * 86_400))
        ask()
        #expect(stage.origin.answer("acme.example", sample))
        stage.settle()
        stage.advance(.seconds(29 * 86_400))
        stage.readDropIns()
        #expect(stage[name]?.status(now: stage.now).nextAt != nil)
        stage.advance(.seconds(2 * 86_400))
        stage.readDropIns()
        #expect(stage[name]?.status(now: stage.now).nextAt == nil && state(stage, name) == .expired)
        let next = try Stage(scratch: stage.scratch, url: nil, addresses: [name: "https://acme.example/c.json"])
        next.advance(.seconds(60 * 86_400))
        next.readDropIns()
        #expect(next[name]?.status(now: next.now).nextAt == nil && state(next, name) == .expired)
        next.onLoop { $0.commands.answered(Request(.list(ListParameters()), of: .name(name))) }
        #expect(next.origin.hosts == ["acme.example"])
    }

    @Test func ofFortyCatalogsOfAppsTheEightRestThatWereAskedForLongestAgo() throws {
        let names = (10..<50).map { "app-\($0)" }
        let addresses = Dictionary(uniqueKeysWithValues: names.map { ($0, "https://\($0).example/c.json") })
        let stage = try Stage(url: nil, addresses: addresses)
        func ask(_ name: String) {
            stage.onLoop { $0.commands.answered(Request(.list(ListParameters()), of: .name(name))) }
            stage.origin.answer("\(name).example", sample)
            stage.settle()
        }
        func resting(_ stage: Stage) -> [String] {
            names.filter { stage[$0]?.status(now: stage.now).nextReason == .resting }
        }
        for name in names {
            ask(name)
            stage.advance(.seconds(3600))
        }
        #expect(resting(stage) == Array(names[..<8]))
        #expect(names.allSatisfy { stage[$0]?.served?.contents != nil })
        // One of them is opened again, on the next day.
        stage.advance(.seconds(86_400))
        ask(names[0])
        #expect(resting(stage) == Array(names[1..<9]) && state(stage, names[0]) == .fresh)
        let next = try Stage(scratch: stage.scratch, url: nil, addresses: addresses)
        next.advance(stage.now - next.now)
        next.readDropIns()
        #expect(resting(next) == Array(names[1..<9]))
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
        #expect(stage.ask(.clear(), of: acme).result(as: ClearResult.self) != nil)
        #expect(
            stage.scratch.read("\(cache("acme"))/catalog") == ""
                && stage.scratch.read("\(cache("default"))/catalog") != "")
        #expect(state(stage, "default") == .fresh && state(stage, "zed") == .fresh && state(stage, "acme") != .fresh)
    }

    @Test func aFetchGoesOnUnderAnotherNameWhichItsRecordsHave() throws {
        let stage = try stage(url: nil)
        let refresh = stage.ask(.refresh(RefreshParameters()), of: acme)
        stage.drop(in: ["other": "https://acme.example/c.json", "zed": "https://zed.example/c.json"])
        stage.readDropIns()
        #expect(state(stage, "other") == .loading && stage.origin.givenUp == 0)
        stage.origin.answer("acme.example", sample)
        #expect(refresh.result?.outcome == .updated && state(stage, "other") == .fresh)
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
        #expect(refresh.value == nil && !list.isOpen && stage["acme"]?.schedule.record.failures == 0)
        stage.origin.answer("acme.example", sample)
        #expect(refresh.result?.outcome == .updated && list.isOpen)
    }

    @Test func whoWaitsWhileAFileBreaksLearnsThatAndWhatIsServedStays() throws {
        let stage = try stage(url: nil)
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        stage.advance(.seconds(86_400))
        let (refresh, list) = (stage.ask(.refresh(RefreshParameters()), of: acme), stage.awaitFetch(of: acme))
        stage.drop(in: ["zed": "https://zed.example/c.json"], broken: ["acme"])
        stage.readDropIns()
        guard case .refused(let error) = refresh.value else {
            Issue.record("the waiter was not refused")
            return
        }
        #expect(error.reason == .noOrigin && error.message.contains("acme.toml:1"))
        #expect(list.isOpen && stage.origin.givenUp == 1 && state(stage, "acme") == .expired)
        stage.drop(in: Self.addresses)
        stage.readDropIns()
        #expect(stage["acme"]?.schedule.next != nil && stage["acme"]?.schedule.record.failures == 0)
    }

    @Test func whileTheConfigurationIsBrokenEveryCacheIsServedAndNothingIsFetched() throws {
        let stage = try stage()
        for host in stage.origin.hosts { stage.origin.answer(host, sample) }
        stage.settle()
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "no")])
        let broken = try Stage(
            scratch: stage.scratch, url: "https://default.example/c.json", addresses: Self.addresses, problem: problem)
        #expect(["default", "acme", "zed"].allSatisfy { state(broken, $0) == .fresh })
        broken.advance(.seconds(40 * 86_400))
        broken.readDropIns()
        #expect(broken.origin.waiting == 0 && state(broken, "acme") == .expired, "its cache stays too")
        _ = broken.ask(.reload).result(as: ReloadResult.self)
        #expect(broken["acme"]?.schedule.next != nil || state(broken, "acme") == .loading)
    }
}
