/// An https address with a host, checked on its raw text (RFC 3986): general parsers let blanks and impossible ports pass.
package struct HTTPSURL: Hashable, Sendable, CustomStringConvertible {
    /// What stands before an `@`, user and password; nil where there is none.
    package let userInformation: String?
    /// The host, in lower case; an IPv6 address in its brackets.
    package let host: String
    /// The port, 443 where none is written.
    package let port: Int
    /// Path and query, beginning with a slash.
    package let target: String

    /// The longest address, in bytes: as much as servers take.
    package static let maximumLength = 8192

    /// What is said of a text that is none; the text is not shown, for it may hold a password.
    private static let refusal =
        "An address begins with https:// and has a host, such as https://example.com/catalog.json; this is none."

    /// What is said of a text that is not an address, with the address that was probably meant.
    package static func refusal(of text: String) -> String {
        guard let meant = meant(by: text) else { return refusal }
        return "promod fetches from addresses that begin with https://. Did you mean \(meant)?"
    }

    /// What is said of a place, a file or an address, that is neither; nil if it is one.
    package static func refusal(ofPlace text: String) -> String? {
        text.contains("://") && HTTPSURL(text) == nil ? refusal(of: text) : nil
    }

    /// The address with https in front that a text becomes if it has another scheme for the web, or none behind a host's name.
    private static func meant(by text: String) -> HTTPSURL? {
        if text.lowercased().hasPrefix("http://") { return HTTPSURL("https://" + text.dropFirst(7)) }
        let host = text.prefix { $0 != "/" && $0 != ":" }
        guard !text.contains("://"), host == "localhost" || host.dropFirst().contains(".") else { return nil }
        return HTTPSURL("https://" + text)
    }

    /// Reads an address; nil if it is not https, has no host, is too long or holds what an address cannot.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard Self.isWellFormed(bytes), bytes.count > 8, text.prefix(8).lowercased() == "https://" else { return nil }
        let rest = bytes[8...]
        let authorityEnd = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let authority = rest[..<(authorityEnd ?? rest.endIndex)]
        let fragmentStart = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let target = rest[authority.endIndex..<fragmentStart]
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        guard let (host, port) = Self.hostAndPort(authority[(at.map { $0 + 1 } ?? authority.startIndex)...]) else {
            return nil
        }
        userInformation = at.map { String(decoding: authority[..<$0], as: UTF8.self) }
        self.host = host
        self.port = port
        let written = String(decoding: target, as: UTF8.self)
        self.target = written.hasPrefix("/") ? written : "/" + written
    }

    /// The address without what a log or a person must not see: user, password, query.
    package var description: String {
        "https://\(authority)\(target.prefix { $0 != "?" })"
    }

    /// The address for a message, of which a long one is cut short.
    package var brief: String { description.elided(to: 200) }

    /// The address to send, without user and password, which travel in a header.
    package var requestText: String { "https://\(authority)\(target)" }

    /// The address written one way only, for telling whether two are the same: the fragment dropped, host in lower case.
    package var normalized: String {
        "https://\(userInformation.map { $0 + "@" } ?? "")\(authority)\(target)"
    }

    /// User and password as HTTP's Basic scheme sends them, `user:password` with the address's escapes undone; nil where there are none.
    package var credentials: String? {
        guard let userInformation else { return nil }
        let written = userInformation.contains(":") ? userInformation : userInformation + ":"
        var bytes: [UInt8] = []
        var rest = Array(written.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether credentials for one address may go to the other.
    package func hasSameOrigin(as other: HTTPSURL) -> Bool {
        host == other.host && port == other.port
    }

    private var authority: String { port == 443 ? host : "\(host):\(port)" }

    private static func hostAndPort(_ text: ArraySlice<UInt8>) -> (String, Int)? {
        var host = text
        var port = 443
        let afterBracket = text.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        if let colon = text[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
            let digits = text[(colon + 1)...]
            guard digits.allSatisfy(\.isDigit) else { return nil }
            if !digits.isEmpty {
                guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(number) else {
                    return nil
                }
                port = number
            }
            host = text[..<colon]
        }
        let isAddress = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]") && host.count > 2
        let inner = isAddress ? host.dropFirst().dropLast() : host
        guard !inner.isEmpty, inner.allSatisfy({ isAddress ? isAddressByte($0) : isNameByte($0) }) else { return nil }
        return (String(decoding: host, as: UTF8.self).lowercased(), port)
    }

    /// Whether only bytes occur that an address may hold, and each percent sign begins an escape.
    private static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        for (index, byte) in bytes.enumerated() {
            guard byte > 0x20, byte < 0x7F, !forbidden.contains(byte) else { return false }
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, isHexadecimal(bytes[index + 1]), isHexadecimal(bytes[index + 2]) else {
                    return false
                }
            }
        }
        return true
    }

    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isHexadecimal(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ![UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
    }
}
