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
        let catalog = try prepared(members)
        #expect(ReviewParameters(app: "bookary", completed: 3).page(in: catalog) == page)
        if members["storeURLs"] == "null" {
            #expect(catalog.app("bookary")?.storeURL == "https://apps.apple.com/app/id6470000002")
        }
    }

    private static let malformed = [
        "[]", #""https://s.example/""#, #"{"linux":1}"#, #"{"linux":""}"#, #"{"linux":"http://s.example/"}"#,
        #"{"linux":"https://user:word@s.example/"}"#, #"{"linux":["https://s.example/"]}"#,
        #"{"linux":"https://s.example\"<script>/"}"#,
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
