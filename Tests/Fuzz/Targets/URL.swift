import FoundationEssentials
import PromoWire

extension FuzzTarget {
    /// Normalising an address twice is the same as once, and what is shown of it has no secrets and no controls.
    static let url = FuzzTarget(name: "url") { input in
        guard let text = String(validating: input, as: UTF8.self), let url = HTTPSURL(text) else { return }
        let again = HTTPSURL(url.normalized)
        try require(again == url, "\(url.normalized) is another address")
        try require(again?.normalized == url.normalized, "\(url.normalized) is normalised again")
        try require(HTTPSURL(url.requestText)?.host == url.host, "a request goes to another host")
        try require(HTTPSURL(url.requestText)?.requestText == url.requestText, "\(url.requestText) is not read again")
        let host = URL(string: url.requestText)?.host()?.trimmingBrackets
        try require(host == url.host.trimmingBrackets, "the library asks \(host ?? "nobody"), not \(url.host)")
        try require(url.description.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "\(url) is not printable")
        let authority = url.description.dropFirst("https://".count).prefix { $0 != "/" }
        try require(!authority.contains("@"), "\(url) shows who asks")
    }
}

extension String {
    fileprivate var trimmingBrackets: Substring { hasPrefix("[") ? dropFirst().dropLast() : self[...] }
}
