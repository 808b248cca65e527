import PromoTestSupport
import PromoWire
import Testing

/// The three forms of an address: for people, for a request and for comparison.
struct HTTPSURLTextTests {
    private static let url = "https://User:Secret@Example.com:8443/a/b?token=c#top"

    @Test func theDescriptionHidesUserPasswordAndQuery() throws {
        let url = try #require(HTTPSURL(Self.url))
        #expect(url.description == "https://example.com:8443/a/b")
        for secret in ["User", "Secret", "token"] { #expect(!"\(url)".contains(secret)) }
    }

    @Test(
        arguments: [
            ("https://a.b", "https://a.b/"), ("https://a.b?c", "https://a.b/"), ("https://a.b:443/c", "https://a.b/c"),
        ])
    func theDescriptionIsAnAddress(text: String, shown: String) throws {
        #expect(try #require(HTTPSURL(text)).description == shown)
        #expect(HTTPSURL(shown) != nil)
    }

    @Test func theRequestTextHasNoUserAndNoFragment() throws {
        #expect(try #require(HTTPSURL(Self.url)).requestText == "https://example.com:8443/a/b?token=c")
        #expect(try #require(HTTPSURL("https://a.b:443?c")).requestText == "https://a.b/?c")
    }

    @Test func theNormalFormHasEverythingButTheFragment() throws {
        let normalized = try #require(HTTPSURL(Self.url)).normalized
        #expect(normalized == "https://User:Secret@example.com:8443/a/b?token=c")
    }

    private static let same = [
        ("https://example.com", "https://example.com/"), ("https://example.com/a", "https://EXAMPLE.com/a"),
        ("HTTPS://example.com/a", "https://example.com/a"), ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:/a", "https://example.com/a"), ("https://example.com/a#b", "https://example.com/a#c"),
        ("https://example.com?a", "https://example.com/?a"),
    ]

    @Test(arguments: same)
    func twoSpellingsOfOneAddressAreTheSame(left: String, right: String) throws {
        let (left, right) = (try #require(HTTPSURL(left)), try #require(HTTPSURL(right)))
        #expect(left.normalized == right.normalized)
        #expect(left == right)
    }

    private static let different = [
        ("https://example.com/a", "https://example.com/A"), ("https://example.com/a", "https://example.com/a/"),
        ("https://example.com/a", "https://example.com:8443/a"), ("https://example.com/?a", "https://example.com/?b"),
        ("https://a@example.com/", "https://b@example.com/"), ("https://a@example.com/", "https://example.com/"),
        ("https://example.com/", "https://example.org/"),
    ]

    @Test(arguments: different)
    func twoAddressesAreDifferent(left: String, right: String) throws {
        let (left, right) = (try #require(HTTPSURL(left)), try #require(HTTPSURL(right)))
        #expect(left.normalized != right.normalized)
        #expect(left != right)
    }

    @Test(arguments: URLFixture.accepted)
    func theNormalFormReadsBackTheSame(text: String) throws {
        let url = try #require(HTTPSURL(text))
        #expect(HTTPSURL(url.normalized) == url)
        #expect(HTTPSURL(url.requestText)?.target == url.target)
        #expect(HTTPSURL(url.description)?.host == url.host)
    }
}
