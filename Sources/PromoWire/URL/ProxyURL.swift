/// The address of an HTTP proxy: `http://[user[:password]@]host[:port]`, with port 80 by default.
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible {
    private let userInformation: String?
    /// The host in lower case; an IPv6 address has its brackets.
    package let host: String
    package let port: Int

    /// Parses an address; nil if it is not one, or one of a proxy of another kind.
    /// - Parameter needsScheme: whether `http://` may not be left out.
    package init?(_ text: String, needsScheme: Bool) {
        guard text.utf8.count <= HTTPSURL.maximumLength, URLAuthority.isWellFormed(Array(text.utf8)) else { return nil }
        var rest = text[...]
        if text.prefix(7).lowercased() == "http://" {
            rest = rest.dropFirst(7)
        } else if needsScheme {
            return nil
        }
        if rest.last == "/" { rest = rest.dropLast() }
        guard !rest.contains(where: { "/?#".contains($0) }), let authority = URLAuthority(Array(rest.utf8)[...]) else {
            return nil
        }
        userInformation = authority.userInformation
        host = authority.host
        port = authority.port ?? 80
    }

    /// The address for logs and people, without user and password.
    package var description: String { "http://\(host):\(port)" }

    /// The whole address, as the configuration holds it.
    package var text: String { "http://\(userInformation.map { $0 + "@" } ?? "")\(host):\(port)" }

    /// `user:password` for HTTP's Basic scheme, with percent escapes decoded; nil if the address has neither.
    package var credentials: String? { URLAuthority.credentials(userInformation) }
}
