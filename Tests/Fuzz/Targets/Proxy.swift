import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Any text can be a proxy and a list of exceptions, in the configuration and in the environment; no secret of it is shown.
    static let proxy = FuzzTarget(name: "proxy") { input in
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let address = HTTPSURL(String(decoding: parts[2], as: UTF8.self)) else { return }
        let (text, exceptions) = (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
        if let url = ProxyURL(text, needsScheme: false) {
            try require(!url.description.contains("@"), "\(url) shows who asks")
            try require(ProxyURL(url.text, needsScheme: true) == url, "\(url.text) is another proxy")
        }
        let proxies = Proxies(nil, environment: ["https_proxy": text, "no_proxy": exceptions])
        let used = try? proxies.proxy(for: address)
        let all = Proxies(nil, environment: ["https_proxy": text, "no_proxy": exceptions + ",*"])
        try require(
            (try? all.proxy(for: address)) == nil, "a proxy is used though all hosts are excepted: \(used as Any)")
    }
}
