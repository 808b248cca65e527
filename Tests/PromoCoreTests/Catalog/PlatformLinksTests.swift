import PromoCore
import PromoWire
import Testing

/// The links for Linux, and what happens to malformed ones.
struct PlatformLinksTests {
    private func parsed(_ members: [String: String]) throws -> AppCatalog {
        try AppCatalog(Array(catalog([app("bookary", members.mapValues { $0 })]).utf8))
    }

    private func prepared(_ members: [String: String]) throws -> PreparedCatalog {
        PreparedCatalog(try parsed(members), generation: "0")
    }

    @Test func aLinkForLinuxIsTheStorePage() throws {
        let catalog = try prepared(["storeURLs": #"{"linux":"https://store.example/x?a=1&b=2","windows":"x"}"#])
        let page = "https://store.example/x?a=1&b=2"
        #expect(catalog.app("bookary")?.storeURL == page)
        let desk = try Desk.serving(catalog)
        let listed = try desk.ask(#"{"method":"list"}"#).result["apps"]?.elements[0]["storeURL"]
        #expect(listed == "https://store.example/x?a=1&b=2")
        #expect(try desk.ask(#"{"method":"tap","app":"bookary"}"#).result["storeURL"] == listed)
        // Another reader of the same row.
        #expect(catalog.app("bookary")?.iconURL == "https://example.com/icon.png")
    }

    @Test func withoutALinkItIsApples() throws {
        let page = "https://apps.apple.com/app/id6470000002"
        for members in [["storeURLs": "null"], ["storeURLs": "{}"], ["storeURLs": #"{"linux":null}"#]] {
            #expect(try prepared(members).app("bookary")?.storeURL == page)
        }
    }

    private static let pages: [([String: String], String)] = [
        (["storeURLs": "null"], "https://apps.apple.com/app/id6470000002?action=write-review"),
        (["storeURLs": #"{"linux":"https://s.example/"}"#], "https://s.example/"),
        (
            ["storeURLs": #"{"linux":"https://s.example/"}"#, "reviewURLs": #"{"linux":"https://r.example/"}"#],
            "https://r.example/"
        ),
        (["storeURLs": "null", "reviewURLs": #"{"linux":"https://r.example/"}"#], "https://r.example/"),
    ]

    @Test(arguments: pages)
    func theReviewPageIsTheCatalogsElseThatOfTheStore(members: [String: String], page: String) throws {
        let parameters = ReviewParameters(app: "bookary", completed: 3)
        #expect(parameters.page(in: try prepared(members)) == page)
    }

    private static let malformed = [
        "[]", "1", #""https://s.example/""#, #"{"linux":1}"#, #"{"linux":""}"#, #"{"linux":"http://s.example/"}"#,
        #"{"linux":"javascript:alert(1)"}"#, #"{"linux":"https://"}"#,
        #"{"linux":"https://apps.apple.com@evil.example/"}"#,
        #"{"linux":"https://user:word@s.example/"}"#, #"{"linux":["https://s.example/"]}"#,
        #"{"linux":"https://s.example\"<script>/"}"#,
        "{\"linux\":\"https://s.example/\(String(repeating: "a", count: 8192))\"}",
    ]

    @Test(arguments: malformed, ["storeURLs", "reviewURLs"])
    func aMalformedLinkIsIgnoredWithAWarning(value: String, member: String) throws {
        let none = try prepared([member: "null"])
        let catalog = try prepared([member: value])
        #expect(catalog.app("bookary") == none.app("bookary"))
        let text = PromoCoreTests.catalog([app("bookary", [member: value])])
        let warning = try #require(warnings(text).first)
        #expect(warning.pointer.hasPrefix("/apps/0/\(member)"))
        #expect(warning.message.contains("ignored"))
        #expect(warnings(text).count == 1)
    }
}
