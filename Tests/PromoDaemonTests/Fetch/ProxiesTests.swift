import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// What is given to libcurl of proxies, and what is said of the one that it used.
@Suite struct ProxiesTests {
    @Test(arguments: [
        ("http://k", "http://k:80"), ("HTTP://k:3128/", "http://k:3128"), ("https://[::1]", "https://[::1]:443"),
        ("socks5://k", "socks5://k:1080"), ("socks5h://u@k:9", "socks5h://k:9"), ("k:3128", nil), ("ftp://k", nil),
        ("socks4a://k", "socks4a://k:1080"), ("socks://k", "socks://k:1080"), ("http://", nil), ("http://k/x", nil),
        ("http://k:0", nil), ("http://k?x", nil),
    ])
    func theKeysAddresses(text: String, shown: String?) {
        let url = ProxyURL(text, isVariable: false)
        #expect(url?.description == shown)
        if let url { #expect(ProxyURL(url.text, isVariable: false) == url) }
    }
}
