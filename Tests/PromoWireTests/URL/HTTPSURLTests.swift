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
        #expect(URLFixture.refused.count >= 70)
    }

    @Test(arguments: URLFixture.accepted)
    func anHTTPSAddressWithAHostIsRead(text: String) {
        #expect(HTTPSURL(text) != nil)
    }

    @Test(arguments: URLFixture.refused)
    func anyOtherTextIsRefused(text: String) {
        #expect(HTTPSURL(text) == nil)
    }

    /// The schema of a catalog cannot say all that an IPv6 address has to be, so these are none of the fixtures.
    @Test(arguments: ["1::2::3", "1:2:3", "::12345", "1:2:3:4:5:6:7:8:9", "::1.2.3", ":::", "1:2:3:4:5:6:7:8:"])
    func whatIsNoIPv6AddressIsNoHost(address: String) {
        #expect(HTTPSURL("https://[\(address)]/") == nil)
    }

    @Test(arguments: 0x00...0x20 as ClosedRange<UInt8>)
    func blanksAndControlCharactersAreRefused(byte: UInt8) {
        let character = String(Unicode.Scalar(byte))
        #expect(HTTPSURL("https://exa\(character)mple.com/") == nil)
        #expect(HTTPSURL("https://example.com/\(character)") == nil)
        #expect(HTTPSURL("https://example.com/?\(character)a") == nil)
        #expect(HTTPSURL("https://example.com/#\(character)a") == nil)
        #expect(HTTPSURL("\(character)https://example.com/") == nil)
    }
}
