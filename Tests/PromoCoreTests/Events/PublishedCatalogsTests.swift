import PromoCore
import PromoWire
import Testing

/// Which events a publication causes.
struct PublishedCatalogsTests {
    private func catalog(
        _ name: String = CatalogReference.defaultName, _ state: Freshness.State = .fresh, _ generation: String? = "g",
        address: String? = nil, fetchedAt: Timestamp = .start, arrivals: Int? = nil
    ) throws -> CatalogSnapshot {
        var catalog = CatalogSnapshot(name: name)
        catalog.identity = address ?? name
        if state == .loading {
            catalog.schedule = RefreshSchedule(policy: RefreshPolicy(), hasOrigin: true, held: .nothing, now: .start)
        }
        let prepared = PreparedCatalog(try AppCatalog(SampleCatalog.bytes), generation: generation ?? "")
        if generation != nil {
            let time = state == .expired ? .start - .days(9) : fetchedAt
            catalog.served = try HeldCatalog(prepared, fetchedAt: time)
        }
        catalog.icons = arrivals.map { IconSnapshot(arrivals: $0) }
        return catalog
    }

    /// Publishes one snapshot after another, and returns the events of all as they are sent, from their kind on.
    private func events(_ publications: [[CatalogSnapshot]]) -> [String] {
        var (published, log) = (PublishedCatalogs(), EventLog())
        for catalogs in publications {
            var snapshot = Snapshot()
            snapshot.catalogs = catalogs
            for event in published.published(snapshot, now: .start) { log.append(event, at: .start) }
        }
        return (0..<log.seq).map { (log.text($0 + 1) ?? "").split(separator: #""event":"#).last.map(String.init) ?? "" }
    }

    private func line(_ catalog: String, _ state: String, _ generation: String? = nil) -> String {
        let generation = generation.map { "\"\($0)\"" } ?? "null"
        return #""catalog","catalog":"\#(catalog)","state":"\#(state)","generation":\#(generation)}}"# + "\n"
    }

    @Test func aCatalogEventComesWithEachNewGenerationAndEachChangeOfState() throws {
        let states: [(Freshness.State, String?)] = [
            (.loading, nil), (.fresh, "g1"), (.expired, "g1"), (.fresh, "g1"), (.fresh, "g2"), (.empty, nil),
        ]
        let events = try events(states.map { [try catalog("default", $0, $1)] })
        #expect(events == states.dropFirst().map { line("default", $0.rawValue, $1) })
    }

    @Test func publishingTheSameCatalogAgainIsNoEvent() throws {
        let publications = try [Timestamp.start, .start, .start - .hours(1)].map { [try catalog(fetchedAt: $0)] }
        #expect(events(publications) == [])
    }

    @Test func aFailureForAnotherReasonIsAnEventAndSoIsItsEndWithTheSameCatalog() throws {
        let publications = try [nil, nil, .dns, .dns, .connect, nil, nil].map { (code: ProblemCode?) in
            var (catalog, record) = (try catalog(), RefreshSchedule.Record())
            record.lastError = code.map { Failure($0, "It failed.") }
            catalog.schedule = RefreshSchedule(
                record, policy: RefreshPolicy(), hasOrigin: true, held: .fetched(.start), now: .start)
            return [catalog]
        }
        #expect(events(publications) == Array(repeating: line("default", "fresh", "g"), count: 3))
    }

    @Test func aCatalogThatComesAndOneThatIsGoneAreEvents() throws {
        let (own, acme) = (try catalog(), try catalog("acme"))
        #expect(
            events([[own], [own, acme], [own], [own], [own, acme]])
                == [line("acme", "fresh", "g"), line("acme", "empty"), line("acme", "fresh", "g")])
    }

    @Test func whatDecidesWhichRequestsMeanACatalogIsAnEvent() throws {
        let own = try catalog()
        var changed = Array(repeating: own, count: 4)
        changed[1].hosts = ["finebill"]
        changed[2].aliases = [CatalogAlias(name: "acme", file: "/acme.toml")]
        changed[3].file = "/default.toml"
        #expect(events(changed.map { [$0] }) == Array(repeating: line("default", "fresh", "g"), count: 3))
    }

    @Test func aNameThatComesToMeanAnotherCatalogIsAnEventAndOneThatMeansNoneIsToo() throws {
        let own = try catalog()
        func named(_ names: [String: String]) throws -> [CatalogSnapshot] {
            let named = names.sorted { $0.key < $1.key }
            return try [own] + named.map { try catalog($0.key, .fresh, $0.value, address: $0.value) }
        }
        let publications = try [
            ["aa": "one", "bb": "two"], ["aa": "two", "bb": "one"], ["aa": "two", "cc": "one"], ["cc": "two"],
            ["cc": "one"],
        ].map(named)
        #expect(
            events(publications) == [
                line("aa", "fresh", "two"), line("bb", "fresh", "one"), line("bb", "empty"),
                line("cc", "fresh", "one"), line("aa", "empty"), line("cc", "fresh", "two"),
                line("cc", "fresh", "one"),
            ])
    }

    @Test func picturesThatCameAreAnEventAndACatalogThatIsBackBeginsAnew() throws {
        let publications = try [0, 2, 2, 5, 1, 3].map { [try catalog("acme", arrivals: $0)] }
        #expect(
            events(publications) == [2, 3, 2].map { #""icons","catalog":"acme","stored":\#($0)}}"# + "\n" })
    }
}
