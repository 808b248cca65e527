import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// Which texts are https addresses.
struct HTTPSURLTests {
    @Test func theLengthOfAnAddressIsLimited() {
        let longest = "https://a.example/" + String(repeating: "a", count: HTTPSURL.maximumLength - 18)
        #expect(HTTPSURL(longest) != nil)
        #expect(HTTPSURL(longest + "a") == nil)
        #expect(HTTPSURL(longest)?.brief.unicodeScalars.count == 200)
    }

    /// promod writes addresses in normal form, and has to read them again.
    @Test func theNormalFormOfAnAddressIsNoLongerThanAnAddressMayBe() throws {
        let longest = "https://a.example?" + String(repeating: "a", count: HTTPSURL.maximumLength - 19)
        let url = try #require(HTTPSURL(longest))
        #expect(url.normalized.utf8.count == HTTPSURL.maximumLength && HTTPSURL(url.requestText) == url)
        #expect(HTTPSURL(longest + "a") == nil)
    }

    @Test func thereAreFixtures() {
        #expect(URLFixture.accepted.count >= 30)
        #expect(URLFixture.refused.count >= 50)
    }

    @Test(arguments: URLFixture.accepted)
    func anHTTPSAddressWithAHostIsRead(text: String) {
        #expect(HTTPSURL(text) != nil)
    }

    @Test(arguments: URLFixture.refused)
    func anyOtherTextIsRefused(text: String) {
        #expect(HTTPSURL(text) == nil)
    }

    /// The schema of a catalog says neither what is an IPv6 address nor where an IPv4 address is meant, so these are none of the fixtures.
    @Test(arguments: [
        "[1::2::3]", "[1:2:3]", "[::12345]", "[1:2:3:4:5:6:7:8:9]", "[::1.2.3]", "[:::]", "[1:2:3:4:5:6:7:8:]",
        "[::1%lo]",
        "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "1.2.3.4.5", "1.2.3.256", "127.0.0.1.", "a.example.0x",
        "a.1",
    ])
    func aHostThatIsAlmostAnAddressIsRefused(host: String) {
        #expect(HTTPSURL("https://\(host)/") == nil)
    }

    /// The normal form of what browsers mend.
    private static let mended = [
        ("\u{0} https://a.example/b \u{1F}", "https://a.example/b"),
        ("ht\ntps:\t//a.exa\rmple/b\nc", "https://a.example/bc"),
        ("https:a.example", "https://a.example/"), ("HTTPS:/a.example?", "https://a.example/?"),
        ("https:\\\\a.example\\b\\c?d\\e", "https://a.example/b/c?d\\e"),
        ("https://///a.example//b", "https://a.example//b"),
        ("https://A.%45xample/", "https://a.example/"), ("https://%31%32%37.0.0.1:1/", "https://127.0.0.1:1/"),
        ("https://[0:0::0:1]/", "https://[::1]/"), ("https://[2001:DB8:0:0:8::A]/", "https://[2001:db8::8:0:0:a]/"),
        ("https://a.example/./b/../c/%2E%2e/d", "https://a.example/d"),
        ("https://a.example/../..", "https://a.example/"),
        ("https://a.example/b/.", "https://a.example/b/"), ("https://a.example/b/.%2E", "https://a.example/"),
        ("https://a.example/b/..c/...", "https://a.example/b/..c/..."),
        ("https://a.example?/../b", "https://a.example/?/../b"),
        ("https://a.example/b c\u{7F}ä\"<>^`{|}", "https://a.example/b%20c%7F%C3%A4%22%3C%3E%5E%60%7B|%7D"),
        ("https://a.example/?b c\u{0}ä\"<>^`{|}'", "https://a.example/?b%20c%00%C3%A4%22%3C%3E^`{|}%27"),
        ("https://a.example/%/%2/%zz%%20", "https://a.example/%/%2/%zz%%20"),
        ("https://a@b:c d/e@a.example/", nil), ("https://a@b:c d;:@a.example/", "https://a%40b:c%20d%3B%3A@a.example/"),
        ("https://a:@a.example/", "https://a@a.example/"), ("https://:@a.example/", "https://a.example/"),
    ]

    @Test(arguments: mended)
    func whatBrowsersMendIsMendedLikeThem(text: String, normal: String?) {
        #expect(HTTPSURL(text)?.normalized == normal)
        #expect(normal == nil || HTTPSURL(normal ?? "")?.normalized == normal)
    }

    private static let relative = [
        ("g", "/b/c/g"), ("./g/", "/b/c/g/"), ("../g", "/b/g"), ("../../../g", "/g"), ("/g", "/g"), ("\\g", "/g"),
        ("?g", "/b/c/d?g"),
        ("#g", "/b/c/d?e"), (" ", "/b/c/d?e"), ("https:g", "/b/c/g"), ("https:/g", "/g"), ("g?h/../i", "/b/c/g?h/../i"),
        (".", "/b/c/"),
        ("%2e%2E/g", "/b/g"), ("g:h", nil), ("http://f.example/", nil), ("javascript:alert(1)", nil), ("//", nil),
        ("", "/b/c/d?e"),
    ]

    @Test(arguments: relative)
    func aRelativeAddressIsOneOfTheSameOriginWithoutItsUser(text: String, target: String?) throws {
        let base = try #require(HTTPSURL("https://me:pw@a.example:8443/b/c/d?e#f"))
        let url = try? HTTPSURL(OutsideText(text), relativeTo: base)
        #expect(url?.normalized == target.map { "https://a.example:8443\($0)" })
    }

    @Test(arguments: [
        "//f.example/g", "\\\\F.example\\g", "https://f.example:443/g", "/\\f.example/g", "https:\\/f.example/h/../g",
    ])
    func aRelativeAddressCanNameAnotherHost(text: String) throws {
        let base = try #require(HTTPSURL("https://me:pw@a.example:8443/b"))
        #expect(try HTTPSURL(OutsideText(text), relativeTo: base).normalized == "https://f.example/g")
    }

    private static let problems = [
        ("http://a.example/", "is not https"), ("a.example", "is not https"), ("https://", "has no host"),
        ("https://exa mple.com/", "has a blank (U+0020) in its host"),
        ("https://a%2Fb/", "has “/” (U+002F) in its host"),
        ("https://a%00/", "has the character U+0000 in its host"), ("https://a%25/", "has “%” (U+0025) in its host"),
        ("https://\u{E4}.example/", "has “ä” (U+00E4) in its host; write the host in its ASCII form, with xn--"),
        ("https://a\u{301}/", "has the character U+0301 in its host; write the host in its ASCII form, with xn--"),
        ("https://a.example:0/", "has a port that is not a number from 1 to 65535"),
        ("https://[::g]/", "has a host in brackets that is not an IPv6 address"),
        ("https://127.1/", "has a host that ends in a number, and is not an IPv4 address such as 192.0.2.1"),
        ("https://a.example/" + String(repeating: "a", count: 8192), "is longer than 8192 bytes"),
    ]

    @Test(arguments: problems)
    func whatCannotBeUsedIsNamed(text: String, clause: String) {
        #expect(HTTPSURL.problem(of: OutsideText(text))?.clause == clause)
    }

    /// Foundation would escape the escapes beside such a character again.
    @Test(arguments: [
        ("/a%20b|c", "/a%20b%7Cc"), ("/[x]?q=a%26b&f={1}^`", "/%5Bx%5D?q=a%26b&f=%7B1%7D%5E%60"), ("/100%", "/100%25"),
        ("/%zz%20#a#|", "/%25zz%20#a%23%7C"),
    ])
    func aLinkHasNoCharacterThatOtherLibrariesRefuse(written: String, link: String) throws {
        let url = try #require(HTTPSURL("https://a.example\(written)"))
        #expect(url.link == "https://a.example\(link)" && HTTPSURL(url.link)?.link == url.link)
        #expect(URL(string: url.link)?.absoluteString == url.link)
    }

    /// A page may depend on its fragment, which an origin never gets.
    @Test func onlyTheLinkHasTheFragment() throws {
        let url = try #require(HTTPSURL("https://a.example/b#c d"))
        #expect(url.link == "https://a.example/b#c%20d" && url.normalized == "https://a.example/b")
    }
}
