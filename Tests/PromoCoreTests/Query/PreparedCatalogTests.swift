import PromoCore
import PromoWire
import Testing

@Suite struct PreparedCatalogTests {
    private let ids = ["d", "b", "a", "c"]

    @Test func aRuleCannotRepeatAnAppOrBringTheHostBack() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"b":["a","b","d","a"],"c":["c"]}"#)
        #expect(try catalog.shown(to: "b").ids == ["d", "a"])
        #expect(try catalog.shown(to: "c").ids == [])
    }

    @Test func aHostOutsideTheCatalogIsKnownByItsRule() throws {
        let catalog = try PreparedCatalog.of(ids, rules: #"{"guest":["a","d"],"mute":[]}"#)
        #expect(try catalog.shown(to: "guest").ids == ["d", "a"])
        #expect(catalog.selection(host: "guest").isHostKnown)
        #expect(try catalog.shown(to: "mute") == [])
        #expect(catalog.selection(host: "mute").isHostKnown)
    }

    @Test(arguments: [0, 1, 3, 4, 5, .max])
    func aLimitCountsAcrossTheGapsOfARule(limit: Int) throws {
        let catalog = try PreparedCatalog.of(
            ["a", "b", "c", "d", "e", "f", "g"], rules: #"{"x":["a","c","d","g"]}"#)
        #expect(try catalog.shown(to: "x", limit: limit).ids == Array(["a", "c", "d", "g"].prefix(limit)))
    }

    @Test func anAppAndAHostWithARuleAreNamed() throws {
        let catalog = try PreparedCatalog.of(["a", "b"], rules: #"{"x":["a"]}"#)
        #expect(["a", "b", "x"].allSatisfy(catalog.names))
        #expect(!catalog.names("c") && !catalog.names(""))
    }

    @Test func theIconsOfTheFirstThousandAddressesAreKept() throws {
        let apps = (0..<2100).map {
            #"{"id":"app\#($0)","name":"A","appStoreID":"1","iconURL":"https://a.example/\#($0 / 2)","#
                + #""category":"c","tagline":{"en":"t"}}"#
        }
        let catalog = try PreparedCatalog(text: "{\"apps\":[\(apps.joined(separator: ","))]}")
        #expect(catalog.iconURLs == (0..<1000).map { "https://a.example/\($0)" })
    }

    @Test func anAppIsWrittenAsTheProtocolSays() throws {
        let catalog = try PreparedCatalog.sample()
        let app: [String: JSON] = [
            "id": "bookary", "name": "Bookary", "appStoreID": "6470000002",
            "iconURL": "https://example.com/?icon=bookary", "category": "Reading", "tagline": "읽은 책을 위한 다이어리",
            "storeURL": "https://example.com/?app=bookary",
            "placeholder": .object(["initials": "Bo", "color": "#af5f00"]),
        ]
        #expect(try catalog.shown(to: "finebill", in: .one(.ko), limit: 1) == [.object(app)])
        #expect(catalog.generation == Digest(of: SampleCatalog.bytes).short)
    }
}
