import PromoWire
import Testing

/// Credentials are sent only to their origin, which is host and port.
struct HTTPSURLOriginTests {
    private static let home = "https://user:secret@example.com/a"

    private static func hasSameOrigin(_ left: String, _ right: String) throws -> Bool {
        try #require(HTTPSURL(left)).hasSameOrigin(as: try #require(HTTPSURL(right)))
    }

    @Test(arguments: ["https://example.com/b?c", "https://EXAMPLE.com:443/", "https://other@example.com/"])
    func theyMayBeSentToAnotherAddressOfTheOrigin(other: String) throws {
        #expect(try Self.hasSameOrigin(Self.home, other))
        #expect(try Self.hasSameOrigin(other, Self.home))
    }

    @Test(
        arguments: [
            "https://example.org/a", "https://www.example.com/a", "https://example.com:8443/a",
            "https://example.com./a", "https://evil.com/@example.com/", "https://example.com@evil.com/",
        ])
    func theyMayNotBeSentElsewhere(other: String) throws {
        #expect(try !Self.hasSameOrigin(Self.home, other))
        #expect(try !Self.hasSameOrigin(other, Self.home))
    }
}
