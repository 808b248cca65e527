/// The address of a proxy: `scheme://[user[:password]@]host[:port]`.
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of a proxy.
    package enum Scheme: String, CaseIterable, Sendable {
        case http, https
        /// SOCKS, for which promod resolves names; libcurl takes `socks` for `socks4`.
        case socks, socks4, socks5
        /// SOCKS, for which the proxy resolves names.
        case socks4a, socks5h

        fileprivate func defaultPort(asVariable: Bool) -> Int {
            switch self {
            case .http: asVariable ? 1080 : 80
            case .https: 443
            case .socks, .socks4, .socks4a, .socks5, .socks5h: 1080
            }
        }
    }

    private let userInformation: String?
    package let scheme: Scheme
    /// The host in lower case; an IPv6 address has its brackets.
    package let host: String
    package let port: Int

    /// Parses an address; nil if it is malformed or has another scheme.
    /// - Parameter isVariable: whether it is the value of a variable such as `https_proxy`. Then, as in libcurl, `http://` is optional, and
    ///   the default port of an HTTP proxy is 1080 rather than 80.
    package init?(_ text: String, isVariable: Bool) {
        guard text.utf8.count <= HTTPSURL.maximumLength else { return nil }
        var rest = text[...]
        if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
            guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else { return nil }
            self.scheme = scheme
            rest = text[colon...].dropFirst(3)
        } else {
            guard isVariable else { return nil }
            scheme = .http
        }
        if rest.last == "/" { rest = rest.dropLast() }
        guard !rest.utf8.contains(where: { "/?#".utf8.contains($0) }),
            let authority = try? URLAuthority(Array(rest.utf8)[...])
        else {
            return nil
        }
        userInformation = authority.userInformation
        host = authority.host
        port = authority.port ?? scheme.defaultPort(asVariable: isVariable)
    }

    /// The address for logs and people, without user and password.
    package var description: String { "\(scheme.rawValue)://\(host):\(port)" }

    /// The whole address, as the configuration contains it.
    package var text: String {
        "\(scheme.rawValue)://\(userInformation.map { $0 + "@" } ?? "")\(host):\(port)"
    }

    /// Whether it is asked with HTTP's CONNECT.
    package var isHTTP: Bool { scheme == .http || scheme == .https }
}
