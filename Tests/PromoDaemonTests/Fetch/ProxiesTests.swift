import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// What is given to libcurl of proxies, and what is said of the one that it used.
@Suite struct ProxiesTests {
    private func used(_ variable: String, _ value: String) -> String? {
        Proxies(nil, of: "network.proxy", environment: [variable: value]).used(variable).map {
            "\($0.url?.description ?? "none") \($0.source)"
        }
    }

    @Test func theVariablesAreThoseOfLibcurl() {
        let environment = ["https_proxy": "p:1", "http_proxy": "q:1", "NO_PROXY": "a", "no_proxy": "", "HOME": "/"]
        let proxies = Proxies(nil, of: "network.proxy", environment: environment)
        #expect(proxies.variables == ["https_proxy": "p:1", "NO_PROXY": "a"])
        #expect(proxies.option == nil)
        #expect(proxies.used(nil) == nil)
    }

    @Test func whatLibcurlFollowedIsNamedWithItsSource() {
        #expect(used("https_proxy", "p:1") == "http://p:1 https_proxy")
        #expect(used("ALL_PROXY", "socks5h://u:secret@P") == "socks5h://p:1080 ALL_PROXY")
        #expect(used("https_proxy", "http://p/") == "http://p:1080 https_proxy")
        #expect(used("HTTPS_PROXY", "ftp://u:secret@p") == "none HTTPS_PROXY")
        #expect(Proxies(nil, of: "network.proxy", environment: [:]).used("https_proxy") == nil)
    }

    @Test func theKeyCountsMoreThanTheEnvironment() throws {
        let environment = ["https_proxy": "p:1", "no_proxy": "*"]
        let direct = Proxies(.direct, of: "network.proxy", environment: environment)
        #expect(direct.option == "" && direct.variables == [:] && direct.used("https_proxy") == nil)
        let key = try #require(ProxyURL("https://u:p@k", isVariable: false))
        let proxies = Proxies(.proxy(key), of: "network.proxy", environment: environment)
        #expect(proxies.option == "https://u:p@k:443" && proxies.variables == [:])
        #expect(proxies.used(nil)?.status == ProxyStatus(url: "https://k:443", source: "network.proxy"))
    }

    @Test func theProxyOfACatalogCountsMoreThanThatOfAll() throws {
        var (settings, configuration) = (CatalogSettings(), Configuration())
        configuration.proxy = ProxySetting("http://all:1")
        func source() -> String? {
            Proxies(settings, configuration, environment: ["https_proxy": "p:1"]).used(nil)?.source
        }
        #expect(source() == "network.proxy")
        settings.proxy = ProxySetting("http://own:1")
        #expect(source() == "proxy")
        settings.proxy = .direct
        #expect(source() == nil)
    }

    @Test(arguments: [
        ("http://k", "http://k:80"), ("HTTP://k:3128/", "http://k:3128"), ("https://[::1]", "https://[::1]:443"),
        ("socks5://k", "socks5://k:1080"), ("socks5h://u@k:9", "socks5h://k:9"), ("k:3128", nil), ("ftp://k", nil),
        ("socks4a://k", "socks4a://k:1080"), ("socks://k", nil), ("http://", nil), ("http://k/x", nil),
        ("http://k:0", nil), ("http://k?x", nil),
    ])
    func theKeysAddresses(text: String, shown: String?) {
        let url = ProxyURL(text, isVariable: false)
        #expect(url?.description == shown)
        if let url { #expect(ProxyURL(url.text, isVariable: false) == url) }
    }
}
