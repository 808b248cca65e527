import PromoCore
import PromoWire
import Testing

@Suite struct PreparedCatalogTests {
    private let ids = ["d", "b", "a", "c"]

    @Test func aRuleCannotRepeatAnAppOrBringTheHostBack() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"b":["a","b","d","a"],"c":["c"]}"#)
        #expect(try catalog.shown(to: "b") == ["d", "a"])
        #expect(try catalog.shown(to: "c") == [])
    }

    @Test func aHostOutsideTheCatalogIsKnownByItsRule() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"guest":["a","d"],"mute":[]}"#)
        #expect(try catalog.shown(to: "guest") == ["d", "a"])
        #expect(catalog.selection(host: "guest").isHostKnown)
        #expect(try catalog.shown(to: "mute") == [])
        #expect(catalog.selection(host: "mute").isHostKnown)
    }

    @Test func anAppAndAHostWithARuleAreNamed() throws {
        let catalog = try PreparedCatalog.of(["a", "b"], rules: #"{"x":["a"]}"#)
        #expect(["a", "b", "x", "c", ""].filter(catalog.names) == ["a", "b", "x"])
    }

    @Test func theIconsOfTheFirstAddressesAreKept() throws {
        let count = IconBook.maximumCount
        let apps = (0..<count * 2 + 100).map { app("app\($0)", ["iconURL": "\"https://a.example/\($0 / 2)\""]) }
        #expect(try PreparedCatalog(text: catalog(apps)).iconURLs == (0..<count).map { "https://a.example/\($0)" })
    }
}
