import PromoCore
import PromoWire
import Testing

/// The links for Linux, and what happens to malformed ones.
struct PlatformLinksTests {
    private func prepared(_ members: [String: String]) throws -> PreparedCatalog {
        let text = catalog([app("bookary", members.mapValues { $0 })])
        return PreparedCatalog(try AppCatalog(Array(text.utf8)), generation: "0")
    }

    private static let apple = "https://apps.apple.com/app/id6470000002"
    private static let (store, review) = (
        #"{"linux":"https://s.example/?a=1&b=2"}"#, #"{"linux":"https://r.example/"}"#
    )

    /// Members of an app, the page of its store, and that for a review.
    private static let pages: [([String: String], String, String)] = [
        (["storeURLs": "null"], apple, "\(apple)?action=write-review"),
        (["storeURLs": store], "https://s.example/?a=1&b=2", "https://s.example/?a=1&b=2"),
        (["storeURLs": store, "reviewURLs": review], "https://s.example/?a=1&b=2", "https://r.example/"),
        (["storeURLs": "null", "reviewURLs": review], apple, "https://r.example/"),
        (["storeURLs": store, "appStoreID": "null"], "https://s.example/?a=1&b=2", "https://s.example/?a=1&b=2"),
        (
            ["storeURLs": store, "appStoreID": "null", "reviewURLs": review], "https://s.example/?a=1&b=2",
            "https://r.example/"
        ),
    ]

    @Test(arguments: pages)
    func aLinkForLinuxIsThePageElseThatOfTheAppStore(members: [String: String], store: String, review: String) throws {
        let catalog = try prepared(members)
        #expect(ReviewParameters(app: "bookary", completed: 3).page(in: catalog) == review)
        let desk = try Desk.serving(catalog)
        let listed = try #require(desk.ask(#"{"method":"list"}"#).result["apps"]?.elements.first)
        let tap = try desk.ask(#"{"method":"tap","app":"bookary"}"#).result
        #expect([listed["storeURL"], tap["storeURL"]] == [.string(store), .string(store)])
        let number: JSON = members["appStoreID"] == nil ? "6470000002" : .null
        #expect([listed["appStoreID"], tap["appStoreID"]] == [number, number])
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
        let found = warnings(PromoCoreTests.catalog([app("bookary", [member: value])]))
        #expect(found.count == 1)
        #expect(found.first?.pointer.hasPrefix("/apps/0/\(member)") == true)
        #expect(found.first?.message.contains("ignored") == true)
    }
}
