import PromoWire
import Testing

/// User and password for HTTP's Basic scheme.
struct HTTPSURLCredentialTests {
    private static let addresses: [(String, String?)] = [
        ("https://example.com/", nil), ("https://user:secret@example.com/", "user:secret"),
        ("https://user@example.com/", "user:"), ("https://user:@example.com/", "user:"),
        ("https://:secret@example.com/", ":secret"), ("https://user:p%40s%3as@example.com/", "user:p@s:s"),
        ("https://user:%ED%95%9C@example.com/", "user:\u{D55C}"), ("https://user:100%25@example.com/", "user:100%"),
        ("https://user:%2541@example.com/", "user:%41"), ("https://User:Secret@example.com/", "User:Secret"),
        ("https://example.com/user:secret@", nil), ("https://user:a:b@example.com/", "user:a:b"),
    ]

    @Test(arguments: addresses)
    func escapesAreDecoded(text: String, credentials: String?) throws {
        #expect(try #require(HTTPSURL(text)).credentials == credentials)
    }
}
