import PromoCore
import PromoWire
import Testing

@Suite struct PreparedCatalogTests {
    private let ids = ["d", "b", "a", "c"]

    @Test func withoutAHostEveryAppIsShownInTheCatalogsOrder() throws {
        let catalog = try PreparedCatalog.of(ids)
        #expect(try catalog.shown(to: nil).ids == ids)
        #expect(catalog.selection(host: nil).isHostKnown)
    }

    @Test(arguments: [("d", ["b", "a", "c"]), ("b", ["d", "a", "c"]), ("c", ["d", "b", "a"])])
    func aHostIsShownEveryAppButItself(host: String, shown: [String]) throws {
        let catalog = try PreparedCatalog.of(ids)
        #expect(try catalog.shown(to: host).ids == shown)
        #expect(catalog.selection(host: host).isHostKnown)
    }

    @Test func theOnlyAppIsShownNothing() throws {
        #expect(try PreparedCatalog.of(["a"]).shown(to: "a") == [])
    }

    @Test func anUnknownHostIsShownEverything() throws {
        let catalog = try PreparedCatalog.of(ids)
        for host in ["z", "", "D", "a ", "\u{0}"] {
            #expect(try catalog.shown(to: host).ids == ids)
            #expect(!catalog.selection(host: host).isHostKnown)
        }
    }

    @Test func aRuleNarrowsButKeepsTheCatalogsOrder() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"d":["c","b"]}"#)
        #expect(try catalog.shown(to: "d").ids == ["b", "c"])
        #expect(try catalog.shown(to: "b").ids == ["d", "a", "c"])
    }

    @Test func anAppThatARuleRepeatsCountsOnce() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"d":["c","b","c","c","b"]}"#)
        #expect(try catalog.shown(to: "d").ids == ["b", "c"])
    }

    @Test func aRuleCannotBringTheHostBack() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"b":["a","b","d"],"c":["c"]}"#)
        #expect(try catalog.shown(to: "b").ids == ["d", "a"])
        #expect(try catalog.shown(to: "c").ids == [])
    }

    @Test func anEmptyRulePromotesNothing() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"a":[]}"#)
        #expect(try catalog.shown(to: "a") == [])
        #expect(catalog.selection(host: "a").isHostKnown)
    }

    @Test func aHostOutsideTheCatalogIsKnownByItsRule() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"guest":["a","d"],"mute":[]}"#)
        #expect(try catalog.shown(to: "guest").ids == ["d", "a"])
        #expect(catalog.selection(host: "guest").isHostKnown)
        #expect(try catalog.shown(to: "mute") == [])
        #expect(catalog.selection(host: "mute").isHostKnown)
    }

    @Test(arguments: [(Int.min, 0), (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 4), (Int.max, 4)])
    func aLimitKeepsTheFirst(limit: Int, count: Int) throws {
        let catalog = try PreparedCatalog.of(ids)
        #expect(try catalog.shown(to: nil, limit: limit).ids == Array(ids.prefix(count)))
    }

    @Test(arguments: 1...6)
    func aLimitCountsAcrossTheGapsOfARule(limit: Int) throws {
        let catalog = try PreparedCatalog.of(
            ["a", "b", "c", "d", "e", "f", "g"], rules: #"{"x":["a","c","d","g"]}"#)
        #expect(try catalog.shown(to: "x", limit: limit).ids == Array(["a", "c", "d", "g"].prefix(limit)))
    }

    @Test func anAppIsFoundByItsID() throws {
        let catalog = try PreparedCatalog.sample()
        #expect(catalog.app("bookary")?.appStoreID == "6470000002")
        #expect(catalog.app("Bookary")?.appStoreID == nil)
        #expect(catalog.app("")?.appStoreID == nil)
    }

    @Test func anAppAndAHostWithARuleAreNamed() throws {
        let catalog = try PreparedCatalog.of(["a", "b"], rules: #"{"x":["a"]}"#)
        #expect(["a", "b", "x"].allSatisfy(catalog.names))
        #expect(!catalog.names("c") && !catalog.names(""))
    }

    @Test func theGenerationIsTheHashOfTheBytes() throws {
        let bytes = SampleCatalog.bytes
        #expect(try PreparedCatalog(bytes: bytes).generation == CatalogDigest(of: bytes).short)
        #expect(try PreparedCatalog.sample().generation.count == 16)
    }
}
