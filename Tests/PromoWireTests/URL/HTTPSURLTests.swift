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
        #expect(url.normalized.utf8.count == HTTPSURL.maximumLength)
        #expect(HTTPSURL(url.requestText) == url)
        #expect(HTTPSURL(longest + "a") == nil)
    }

    @Test(arguments: URLFixture.accepted)
    func anHTTPSAddressWithAHostIsRead(text: String) {
        #expect(HTTPSURL(text) != nil)
    }

    @Test(arguments: URLFixture.refused)
    func anyOtherTextIsRefused(text: String) {
        #expect(HTTPSURL(text) == nil)
    }

    /// What RFC 3986 lacks, with its escape and the first such character.
    private static let escaped: [(String, String, Unicode.Scalar?)] = [
        ("/b c\u{7F}\u{D55C}", "/b%20c%7F%ED%95%9C", " "), ("/b\"<>\\^`{|}", "/b%22%3C%3E%5C%5E%60%7B%7C%7D", "\""),
        ("/[x]?q=a%26b&f={1}", "/%5Bx%5D?q=a%26b&f=%7B1%7D", "["), ("?\u{D55C}", "/?%ED%95%9C", "\u{D55C}"),
        ("/100%", "/100%25", "%"), ("/%zz%20", "/%25zz%20", "%"), ("/a\tb\n", "/a%09b%0A", "\t"),
        ("/b#c d#", "/b#c%20d%23", " "), ("/\u{FF}".replacing("\u{FF}", with: "\u{FFFD}"), "/%EF%BF%BD", "\u{FFFD}"),
        ("/./b/../%2e/c", "/./b/../%2e/c", nil), ("/~a!$&'()*+,;=:@-._b/?/?#/?", "/~a!$&'()*+,;=:@-._b/?/?#/?", nil),
        ("", "/", nil), ("?", "/?", nil), ("#", "/#", nil),
    ]

    /// Foundation would escape the escapes beside such a character again.
    @Test(arguments: escaped)
    func whatAnAddressCannotHaveIsEscapedBehindTheHost(written: String, link: String, odd: Unicode.Scalar?) throws {
        let url = try #require(HTTPSURL("https://a.example\(written)"))
        #expect(url.link == "https://a.example\(link)")
        #expect(url.escaped == odd)
        #expect(HTTPSURL(url.link)?.escaped == nil)
        #expect(URL(string: url.link)?.absoluteString == url.link)
    }

    @Test(arguments: [
        ("a@b", "a%40b"), ("a b:[c]", "a%20b:%5Bc%5D"), ("\u{E4}", "%C3%A4"), ("a:", "a:"), ("", nil),
    ])
    func userAndPasswordAreEscaped(written: String, user: String?) {
        #expect(HTTPSURL("https://\(written)@a.example/")?.userInformation == user)
    }

    private static let problems = [
        ("http://a.example/", "is not https"), ("a.example", "is not https"), ("https:a.example", "is not https"),
        (" https://a.example/", "has a blank (U+0020) in its scheme"), ("https://", "has no host"),
        ("\u{FF48}ttps://a.example/", "has “\u{FF48}” (U+FF48) in its scheme"),
        ("https://exa mple.com/", "has a blank (U+0020) in its host"),
        ("https:\\\\a.example/", "is not https"), ("https://a.example\\b", "has “\\” (U+005C) in its host"),
        ("https://a%2Fb/", "has “%” (U+0025) in its host"), ("https://a|b/", "has “|” (U+007C) in its host"),
        ("https://a\0/", "has the character U+0000 in its host"),
        ("https://\u{E4}.example/", "has “ä” (U+00E4) in its host; write the host in its ASCII form, with xn--"),
        ("https://a\u{301}/", "has the character U+0301 in its host; write the host in its ASCII form, with xn--"),
        ("https://a.example:8o/", "has “o” (U+006F) in its port"),
        ("https://a.example:0/", "has a port that is not from 1 to 65535"),
        ("https://[::g]/", "has a host in brackets that is not an IPv6 address"),
        ("https://[::1.f0]/", "has a host in brackets that is not an IPv6 address"),
        ("https://[::1\u{0}]/", "has a host in brackets that is not an IPv6 address"),
        (
            "https://a.example/" + String(repeating: "a", count: HTTPSURL.maximumLength),
            "is longer than \(HTTPSURL.maximumLength) bytes"
        ),
    ]

    @Test(arguments: problems)
    func whatCannotBeUsedIsNamed(text: String, clause: String) {
        #expect(HTTPSURL.problem(of: OutsideText(text))?.clause == clause)
    }
}
