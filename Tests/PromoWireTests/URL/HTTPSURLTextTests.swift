import PromoWire
import Testing

/// The three forms of an address: for people, for a request and for comparison.
struct HTTPSURLTextTests {
    @Test func onlyTheNormalFormHasTheUserAndNoneTheFragment() throws {
        let url = try #require(HTTPSURL("https://User:Secret@Example.com:8443/a/b?token=c#top"))
        #expect(url.description == "https://example.com:8443/a/b")
        #expect(url.requestText == "https://example.com:8443/a/b?token=c")
        #expect(url.normalized == "https://User:Secret@example.com:8443/a/b?token=c")
    }

    @Test(arguments: [("https://a.b", "/"), ("https://a.b?c", "/"), ("https://a.b:443/c", "/c")])
    func theDescriptionIsAnAddress(text: String, path: String) throws {
        #expect(try #require(HTTPSURL(text)).description == "https://a.b\(path)")
    }

    private static let same = [
        ("https://example.com", "https://example.com/"), ("https://example.com/a", "https://EXAMPLE.com/a"),
        ("HTTPS://example.com/a", "https://example.com/a"), ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:/a", "https://example.com/a"), ("https://example.com/a#b", "https://example.com/a#c"),
        ("https://example.com?a", "https://example.com/?a"),
    ]

    private static let different = [
        ("https://example.com/a", "https://example.com/A"), ("https://example.com/a", "https://example.com/a/"),
        ("https://example.com/a", "https://example.com:8443/a"), ("https://example.com/?a", "https://example.com/?b"),
        ("https://a@example.com/", "https://b@example.com/"), ("https://a@example.com/", "https://example.com/"),
        ("https://example.com/", "https://example.org/"),
    ]

    @Test(arguments: same.map { ($0, $1, true) } + different.map { ($0, $1, false) })
    func onlySpellingsOfOneAddressAreTheSame(left: String, right: String, areSame: Bool) throws {
        let (left, right) = (try #require(HTTPSURL(left)), try #require(HTTPSURL(right)))
        #expect((left.normalized == right.normalized) == areSame)
        #expect((left == right) == areSame)
    }
}
