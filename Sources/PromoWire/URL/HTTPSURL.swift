/// An https URL in the normal form of browsers (WHATWG), whatever form it was written in.
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

    /// The maximum length of a URL in bytes, as written and in normal form, which is what common servers accept.
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
        do throws(URLProblem) { _ = try HTTPSURL(text, relativeTo: nil) } catch { return error }
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
    package init?(_ text: OutsideText) { try? self.init(text, relativeTo: nil) }

    /// Parses a URL as browsers do, but refuses some hosts, which Limits.md names.
    /// - Parameter base: the URL to which the text may be relative. Its user and password are not taken over.
    package init(_ text: OutsideText, relativeTo base: HTTPSURL?) throws(URLProblem) {
        guard text.bytes.count <= Self.maximumLength else { throw .tooLong }
        var rest = text.bytes.drop { $0 <= 0x20 }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        rest.removeAll { "\t\n\r".utf8.contains($0) }
        let hash = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        fragment = (hash < rest.endIndex ? "#" : "") + rest[hash...].dropFirst().escaped(Set("\"<>`".utf8))
        rest = rest[..<hash]
        let scheme = rest.prefix { $0.isDigit || URLAuthority.isLetter($0) || "+-.".utf8.contains($0) }
        if rest[scheme.endIndex...].first == UInt8(ascii: ":"), scheme.first.map(URLAuthority.isLetter) == true {
            guard String(decoding: scheme, as: UTF8.self).lowercased() == "https" else { throw .notHTTPS }
            rest = rest[scheme.endIndex...].dropFirst()
        } else if base == nil {
            throw .notHTTPS
        }
        let slashes = rest.prefix(while: Self.isSlash).count
        if let base, slashes < 2 {
            (host, port) = (base.host, base.port)
            let path = Array(base.target.utf8).prefix { $0 != UInt8(ascii: "?") }
            if rest.isEmpty {
                rest = Array(base.target.utf8)[...]
            } else if rest.first == UInt8(ascii: "?") {
                rest = path + rest
            } else if slashes == 0 {
                rest = path[...(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)] + rest
            }
        } else {
            rest = rest.dropFirst(slashes)
            let end = rest.firstIndex { Self.isSlash($0) || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let authority = try URLAuthority(rest[..<end])
            (userInformation, host, port) = (authority.userInformation, authority.host, authority.port ?? 443)
            rest = rest[end...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        target = Self.normal(path) + rest[path.endIndex...].escaped(Set("\"<>'".utf8))
        // promod must be able to read the normal form that it writes.
        guard link.utf8.count <= Self.maximumLength else { throw .tooLong }
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    /// A path with escapes where a URL needs them, and without `.` and `..`, which may be written with escapes.
    private static func normal(_ path: ArraySlice<UInt8>) -> String {
        let segments = path.split(omittingEmptySubsequences: false, whereSeparator: isSlash).dropFirst()
        var kept: [String] = []
        for (index, segment) in zip(segments.indices, segments) {
            switch String(decoding: segment.prefix(7), as: UTF8.self).lowercased() {
            case ".", "%2e": break
            case "..", ".%2e", "%2e.", "%2e%2e": _ = kept.popLast()
            default:
                kept.append(segment.escaped(Set("\"<>?^`{}".utf8)))
                continue
            }
            if index == segments.endIndex - 1 { kept.append("") }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// The URL for logs and people, without user, password or query.
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
        origin + target
    }

    /// `user:password` for HTTP's Basic scheme, with percent escapes decoded; nil if the URL has neither.
    package var credentials: String? {
        userInformation.map { String(decoding: ($0 + ($0.contains(":") ? "" : ":")).utf8.unescaped, as: UTF8.self) }
    }

    /// Whether host and port are the same, so that credentials for one URL may be sent to the other.
    package func hasSameOrigin(as other: HTTPSURL) -> Bool {
        host == other.host && port == other.port
    }

    /// The URL for other programs: with its fragment, and with escapes for what browsers take and RFC 3986 forbids, because
    /// Foundation would escape the escapes beside it again.
    package var link: String {
        origin + target.strictlyEscaped + (fragment.isEmpty ? "" : "#" + fragment.dropFirst().strictlyEscaped)
    }

    /// Whether the URLs are the same to an origin.
    package static func == (left: HTTPSURL, right: HTTPSURL) -> Bool { left.normalized == right.normalized }

    /// Hashes what ``==(_:_:)`` compares.
    package func hash(into hasher: inout Hasher) { hasher.combine(normalized) }

    /// What comes before the path, with user and password.
    private var origin: String { "https://\(userInformation.map { $0 + "@" } ?? "")\(authority)" }

    private var authority: String { port == 443 ? host : "\(host):\(port)" }
}
