@testable import PromoDaemon
import PromoWire
import Testing

/// Which requests go through a proxy.
@Suite struct ProxiesTests {
    private func proxy(_ variables: [String: String], _ url: String = "https://a.example/") throws -> String? {
        try Proxies(nil, environment: variables).proxy(for: try #require(HTTPSURL(url))).map {
            "\($0.url) \($0.source)"
        }
    }

    @Test func theLowerCaseVariableCountsAndAnEmptyOneDoesNot() throws {
        #expect(try proxy([:]) == nil)
        #expect(try proxy(["https_proxy": "", "HTTPS_PROXY": "p:1"]) == "http://p:1 HTTPS_PROXY")
        #expect(try proxy(["https_proxy": "http://q/", "HTTPS_PROXY": "p:1"]) == "http://q:80 https_proxy")
        #expect(try proxy(["http_proxy": "p:1", "all_proxy": "p:1", "ALL_PROXY": "p:1"]) == nil)
        #expect(try proxy(["https_proxy": "p:1", "no_proxy": "", "NO_PROXY": "a.example"]) == nil)
        #expect(
            try proxy(["https_proxy": "p:1", "no_proxy": "b", "NO_PROXY": "a.example"]) == "http://p:1 https_proxy")
    }

    @Test(arguments: [
        "https://p:1", "socks5://p:1", "http://p:0", "http://", "http://p/x", "p q", "http://p:1?x", "://",
    ])
    func aVariableThatIsNoHTTPProxyFailsWithItsName(value: String) {
        let failure = #expect(throws: Failure.self) { try proxy(["HTTPS_PROXY": value]) }
        #expect(failure?.code == .proxy && failure?.message.contains(" HTTPS_PROXY ") == true)
        #expect(throws: Never.self) { try proxy(["HTTPS_PROXY": value, "no_proxy": "*"]) }
    }

    @Test func theKeyCountsMoreThanTheEnvironment() throws {
        let url = try #require(HTTPSURL("https://a.example/"))
        let environment = ["https_proxy": "p:1", "no_proxy": "*"]
        #expect(try Proxies(.direct, environment: ["https_proxy": "p:1"]).proxy(for: url) == nil)
        let key = Proxies.Key.proxy(try #require(ProxyURL("http://k:3128", needsScheme: true)))
        #expect(try Proxies(key, environment: environment).proxy(for: url)?.source == "catalog.proxy")
    }

    @Test func userAndPasswordAreDecodedAndNotShown() throws {
        let url = try #require(ProxyURL("http://us%40er:p%3Aw@[::1]:3128/", needsScheme: true))
        #expect(url.credentials == "us@er:p:w")
        #expect(url.description == "http://[::1]:3128")
        #expect(ProxyURL(url.text, needsScheme: true) == url)
    }

    @Test(arguments: [
        ("*", "a.example", true), ("a.example", "a.example", true), ("A.Example.", "a.example", true),
        (".example", "a.example", true), ("example", "a.example", true), ("*.example", "a.example", true),
        ("xample", "a.example", false), ("b.a.example", "a.example", false), ("x, a.example y", "a.example", true),
        ("a.example:443", "a.example", true), ("a.example:8443", "a.example", false),
        ("a.example:8443", "a.example:8443", true), ("a.example:0", "a.example", false),
        ("a.example", "a.example.", true),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3:443", "10.1.2.3", true), ("10.0.0.0/8", "10.1.2.3", true),
        ("10.0.0.0/8", "11.1.2.3", false), ("10.1.2.2/31", "10.1.2.3", true), ("10.1.2.2/32", "10.1.2.3", false),
        ("0.0.0.0/0", "10.1.2.3", true), ("0.0.0.0/0", "[::1]", false), ("10.0.0.0/33", "10.1.2.3", false),
        ("10.0.0.0/-1", "10.1.2.3", false), ("2.3", "10.1.2.3", false), ("::1", "[::1]", true),
        ("[::1]", "[::1]", true),
        ("[::1]:8443", "[::1]:8443", true), ("[::1]:8443", "[::1]", false), ("fd00::/8", "[fd12::1]", true),
        ("[fd00::]/8", "[fe12::1]", false), ("10.0.0.0/8", "a.example", false), (".", "a.example", false),
        ("", "a.example", false), ("/8", "10.1.2.3", false), (":443", "a.example", false),
    ])
    func theExceptions(list: String, host: String, isExcepted: Bool) throws {
        let url = try #require(HTTPSURL("https://\(host)/c.json"))
        #expect(ProxyExceptions(list).contain(url) == isExcepted)
    }
}
