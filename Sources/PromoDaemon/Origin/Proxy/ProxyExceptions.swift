import PromoWire

/// The hosts that are asked without a proxy, as the variable `no_proxy` lists them.
struct ProxyExceptions: Equatable, Sendable {
    private enum Entry: Equatable {
        case everything
        /// A name stands for itself and for all below it.
        case name(String, port: Int?)
        case address(IPAddress, port: Int?)
        case network(IPAddress, length: Int)
    }

    private let entries: [Entry]

    /// Reads a list separated by commas or blanks. An entry that is not valid matches nothing.
    init(_ list: String) {
        // By scalar, because a mark before a comma would make one character of both.
        let words = list.lowercased().unicodeScalars.split { ", \t".unicodeScalars.contains($0) }
        entries = words.compactMap { Self.entry(Substring($0)) }
    }

    /// Whether a URL's host is in the list. Names are not resolved.
    func contain(_ url: HTTPSURL) -> Bool {
        let host = Self.withoutBrackets(url.host)
        let address = IPAddress(host)
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return entries.contains { entry in
            switch entry {
            case .everything: true
            case .name(let suffix, let port):
                address == nil && port ?? url.port == url.port && (name == suffix || name.hasSuffix("." + suffix))
            case .address(let other, let port): address == other && port ?? url.port == url.port
            case .network(let network, let length): address?.isInNetwork(network, length: length) ?? false
            }
        }
    }

    private static func entry(_ text: Substring) -> Entry? {
        if text == "*" { return .everything }
        if let slash = text.firstIndex(of: "/") {
            guard let network = IPAddress(withoutBrackets(text[..<slash])),
                let length = Int(text[text.index(after: slash)...]), 0...network.bits ~= length
            else { return nil }
            return .network(network, length: length)
        }
        if let address = IPAddress(withoutBrackets(text)) { return .address(address, port: nil) }
        var host = text
        var port: Int?
        if let colon = text.lastIndex(of: ":") {
            guard let number = Int(text[text.index(after: colon)...]), 1...65_535 ~= number else { return nil }
            (host, port) = (text[..<colon], number)
        }
        if let address = IPAddress(withoutBrackets(host)) { return .address(address, port: port) }
        if host.hasPrefix("*.") { host = host.dropFirst() }
        if host.hasPrefix(".") { host = host.dropFirst() }
        if host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : .name(String(host), port: port)
    }

    private static func withoutBrackets(_ host: some StringProtocol) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
