/// An https URL (RFC 3986), checked byte by byte because general parsers accept blanks and impossible ports.
package struct HTTPSURL: Hashable, Sendable, CustomStringConvertible {
    /// The user and password, as written before the `@`; nil if there is no `@`.
    package private(set) var userInformation: String?
    /// The host in lower case; an IPv6 address has its brackets.
    package let host: String
    /// The port, 443 by default.
    package let port: Int
    /// The path and query, beginning with a slash.
    package let target: String

    /// The maximum length of a URL in bytes, as written and in normal form, which is what common servers accept.
    package static let maximumLength = 8192

    // The text itself is not shown, because it may contain a password.
    private static let refusal =
        "This is not an https URL with a host. A valid one is, for example, https://example.com/catalog.json."

    /// The message for a text that is not an https URL, with the URL that was probably meant.
    package static func refusal(of text: String) -> String {
        guard let meant = meant(by: text) else { return refusal }
        return "promod fetches only from https:// URLs. Did you mean \(meant)?"
    }

    /// The message for a text that has a scheme but is not an https URL; nil for an https URL and for a file's path.
    package static func refusal(ofPlace text: String) -> String? {
        OutsideText(text).text.contains("://") && HTTPSURL(text) == nil ? refusal(of: text) : nil
    }

    /// The https URL for a text that begins with `http://`, or with a host and no scheme.
    private static func meant(by text: String) -> HTTPSURL? {
        guard let text = OutsideText(text).ascii(upTo: maximumLength) else { return nil }
        if text.lowercased().hasPrefix("http://") { return HTTPSURL("https://" + text.dropFirst(7)) }
        let host = text.prefix { $0 != "/" && $0 != ":" }
        guard !text.contains("://"), host == "localhost" || host.dropFirst().contains(".") else { return nil }
        return HTTPSURL("https://" + text)
    }

    /// Parses a URL; nil if it is not https, has no host, is too long, or contains a character that a URL cannot.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard URLAuthority.isWellFormed(bytes), bytes.count > 8, text.prefix(8).lowercased() == "https://" else {
            return nil
        }
        let rest = bytes[8...]
        let authorityEnd = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let fragmentStart = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        guard let authority = URLAuthority(rest[..<(authorityEnd ?? rest.endIndex)]) else { return nil }
        let target = rest[(authorityEnd ?? rest.endIndex)..<fragmentStart]
        userInformation = authority.userInformation
        host = authority.host
        port = authority.port ?? 443
        let written = String(decoding: target, as: UTF8.self)
        self.target = written.hasPrefix("/") ? written : "/" + written
        // promod must be able to read the normal form that it writes.
        guard normalized.utf8.count <= Self.maximumLength else { return nil }
    }

    /// The URL for logs and people, without user, password and query.
    package var description: String {
        "https://\(authority)\(target.prefix { $0 != "?" })"
    }

    /// ``description`` cut to 200 characters, for a message.
    package var brief: String { description.elided(to: 200) }

    /// The URL to request, without user and password, which are sent in a header.
    package var requestText: String { "https://\(authority)\(target)" }

    /// The URL without user and password.
    package var withoutCredentials: HTTPSURL {
        var url = self
        url.userInformation = nil
        return url
    }

    /// The URL in normal form, for comparing two: host in lower case, no default port, no fragment.
    package var normalized: String {
        "https://\(userInformation.map { $0 + "@" } ?? "")\(authority)\(target)"
    }

    /// `user:password` for HTTP's Basic scheme, with percent escapes decoded; nil if the URL has neither.
    package var credentials: String? { URLAuthority.credentials(userInformation) }

    /// Whether host and port are the same, so that credentials for one URL may be sent to the other.
    package func hasSameOrigin(as other: HTTPSURL) -> Bool {
        host == other.host && port == other.port
    }

    private var authority: String { port == 443 ? host : "\(host):\(port)" }
}
