import PromoWire
import Testing

/// The parts of an address.
struct HTTPSURLPartTests {
    struct Parts: Equatable, Sendable {
        var user: String?
        var host: String
        var port = 443
        var target = "/"
    }

    private static let addresses: [(String, Parts)] = [
        ("https://example.com", Parts(host: "example.com")),
        ("https://Example.COM/Icon.PNG", Parts(host: "example.com", target: "/Icon.PNG")),
        ("https://example.com:8443/a?b=c", Parts(host: "example.com", port: 8443, target: "/a?b=c")),
        ("https://example.com:/a", Parts(host: "example.com", target: "/a")),
        ("https://example.com:00443/", Parts(host: "example.com")),
        ("https://example.com?a=/b", Parts(host: "example.com", target: "/?a=/b")),
        ("https://example.com#a", Parts(host: "example.com")),
        ("https://example.com/a?b#c?d/e@f", Parts(host: "example.com", target: "/a?b")),
        ("https://example.com?b#c", Parts(host: "example.com", target: "/?b")),
        ("https://example.com//a", Parts(host: "example.com", target: "//a")),
        ("https://user:secret@example.com/a", Parts(user: "user:secret", host: "example.com", target: "/a")),
        ("https://User@Example.com:1", Parts(user: "User", host: "example.com", port: 1)),
        ("https://example.com/a@b:c", Parts(host: "example.com", target: "/a@b:c")),
        ("https://example.com?a@b", Parts(host: "example.com", target: "/?a@b")),
        ("https://[2001:DB8::1]:65535/", Parts(host: "[2001:db8::1]", port: 65_535)),
        ("https://user@[::1]", Parts(user: "user", host: "[::1]")),
    ]

    @Test(arguments: addresses)
    func everyPartIsFound(text: String, parts: Parts) throws {
        let url = try #require(HTTPSURL(text))
        #expect(Parts(user: url.userInformation, host: url.host, port: url.port, target: url.target) == parts)
    }

    /// User and password for HTTP's Basic scheme.
    private static let credentials: [(String, String?)] = [
        ("example.com/", nil), ("user:secret@example.com/", "user:secret"), ("user@example.com/", "user:"),
        ("user:@example.com/", "user:"), (":secret@example.com/", ":secret"),
        ("user:p%40s%3as@example.com/", "user:p@s:s"), ("user:%ED%95%9C@example.com/", "user:\u{D55C}"),
        ("user:100%25@example.com/", "user:100%"), ("user:%2541@example.com/", "user:%41"),
        ("example.com/user:secret@", nil), ("user:a:b@example.com/", "user:a:b"),
    ]

    @Test(arguments: credentials)
    func theEscapesOfCredentialsAreDecoded(text: String, credentials: String?) throws {
        #expect(try #require(HTTPSURL("https://\(text)")).credentials == credentials)
    }
}
