import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// What is given to libcurl of proxies, and what is said of the one that it used.
@Suite struct ProxiesTests {
    /// What a person is told if the proxy that libcurl followed refuses.
    private func told(_ variable: String, _ value: String) -> String? {
        UsedProxy(nil, variable: variable, environment: [variable: value])?.failure(
            for: FetchProblem(kind: .other), to: "a:1")?.message
    }

    @Test func theVariablesAreThoseOfLibcurl() {
        let environment = ["https_proxy": "p:1", "http_proxy": "q:1", "NO_PROXY": "a", "no_proxy": "", "HOME": "/"]
        let proxies = Proxies(nil, environment: environment)
        #expect(proxies.variables == ["https_proxy": "p:1", "NO_PROXY": "a"])
        #expect(proxies.option == nil)
    }

    @Test func aVariableThatIsNoProxyIsNamedWithoutItsValue() {
        #expect(told("HTTPS_PROXY", "ftp://u:secret@p")?.contains("HTTPS_PROXY is not the address of a proxy") == true)
        #expect(told("HTTPS_PROXY", "ftp://u:secret@p")?.contains("secret") == false)
        #expect(told("https_proxy", "p:1") == nil)
        #expect(UsedProxy(nil, variable: "https_proxy", environment: [:]) == nil)
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
