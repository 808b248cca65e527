import PromoWire

extension FuzzTarget {
    /// Any text can be a proxy, in the configuration and in the environment; no secret of it is shown.
    static let proxy = FuzzTarget(name: "proxy") { input in
        let text = String(decoding: input, as: UTF8.self)
        guard let url = ProxyURL(text, isVariable: true) else { return }
        try require(!url.description.contains("@"), "\(url) shows who asks")
        try require(ProxyURL(url.text, isVariable: false) == url, "\(url.text) is another proxy")
    }
}
