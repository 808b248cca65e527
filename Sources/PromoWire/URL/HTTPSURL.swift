/// An https URL in the characters of RFC 3986. Others are escaped in path, query and fragment, and refused in scheme, host and port.
package struct HTTPSURL: Hashable, Sendable, CustomStringConvertible {
    /// The user and password, with escapes; nil if there is neither.
    package private(set) var userInformation: String?
    /// The host in lower case; an IPv6 address has its brackets.
    package let host: String
    /// The port, 443 by default.
    package let port: Int
    /// The path and query, beginning with a slash.
    package let target: String
    /// The fragment with its `#`, which no origin sees; empty if there is none.
    private let fragment: String
    /// The first character that was escaped; nil if the text has no other characters than a URL may have.
    package let escaped: Unicode.Scalar?

    /// The maximum length of a URL in bytes, as written and with escapes, which is what common servers accept.
    package static let maximumLength = 8192

    /// The message for a text that is not an https URL, with the URL that was probably meant.
    package static func refusal(of text: String) -> String {
        if let meant = meant(by: text) { return "promod fetches only from https:// URLs. Did you mean \(meant)?" }
        // The text itself is not shown, because it may contain a password.
        return "This address \(problem(of: OutsideText(text))?.clause ?? "cannot be used"). "
            + "A valid one is, for example, https://example.com/catalog.json."
    }

    /// Why a text is not an https URL; nil if it is one.
    package static func problem(of text: OutsideText) -> URLProblem? {
        do throws(URLProblem) { _ = try HTTPSURL(reading: text) } catch { return error }
        return nil
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

    /// Parses a URL; nil if promod cannot use it.
    package init?(_ text: String) { self.init(OutsideText(text)) }

    /// Parses a URL; nil if promod cannot use it.
    package init?(_ text: OutsideText) { try? self.init(reading: text) }

    /// Parses a URL, or says why promod cannot use it.
    package init(reading text: OutsideText) throws(URLProblem) {
        guard text.bytes.count <= Self.maximumLength else { throw .tooLong }
        let scheme = text.bytes.prefix { $0 != UInt8(ascii: ":") }
        let rest = text.bytes[scheme.endIndex...]
        guard rest.starts(with: "://".utf8) else { throw .notHTTPS }
        try URLProblem.check(scheme, in: "scheme") { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "https" else { throw .notHTTPS }
        let begin = rest.startIndex + "://".utf8.count
        let end = rest[begin...].firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let hash = rest[end...].firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let authority = try URLAuthority(rest[begin..<end])
        (userInformation, host, port) = (authority.userInformation, authority.host, authority.port ?? 443)
        let (written, named) = (rest[end..<hash], rest[hash...].dropFirst())
        target = (written.first == UInt8(ascii: "/") ? "" : "/") + written.escaped
        fragment = (hash < rest.endIndex ? "#" : "") + named.escaped
        escaped = written.firstToEscape ?? named.firstToEscape
        // promod must be able to read what it writes.
        guard link.utf8.count <= Self.maximumLength else { throw .tooLong }
    }

    /// The URL for logs and people, without user, password or query.
    package var description: String {
        "https://\(authority)\(target.prefix { $0 != "?" })"
    }

    /// ``description`` cut to 200 characters, for a message.
    package var brief: String { description.elided(to: 200) }

    /// The URL to request, without user and password, which are sent in a header.
    package var requestText: String { "https://\(authority)\(target)" }

    /// The URL in one form, for comparing two: host in lower case, no default port, no fragment.
    package var normalized: String {
        "https://\(userInformation.map { $0 + "@" } ?? "")\(authority)\(target)"
    }

    /// The URL for other programs, with its fragment.
    package var link: String { normalized + fragment }

    /// `user:password` for HTTP's Basic scheme, with percent escapes decoded; nil if the URL has neither.
    package var credentials: String? {
        userInformation.map { String(decoding: ($0 + ($0.contains(":") ? "" : ":")).utf8.unescaped, as: UTF8.self) }
    }

    /// Whether the URLs are the same to an origin.
    package static func == (left: HTTPSURL, right: HTTPSURL) -> Bool { left.normalized == right.normalized }

    /// Hashes what ``==(_:_:)`` compares.
    package func hash(into hasher: inout Hasher) { hasher.combine(normalized) }

    private var authority: String { port == 443 ? host : "\(host):\(port)" }
}
