import Glibc

/// The authority of a URL (RFC 3986 §3.2): `user:password@host:port`.
struct URLAuthority {
    /// The user and password, as written before the `@`; nil if there is no `@`.
    let userInformation: String?
    /// The host in lower case; an IPv6 address has its brackets.
    let host: String
    /// The port; nil if none is written.
    let port: Int?

    /// Reads an authority; nil if it has no valid host or port.
    init?(_ text: ArraySlice<UInt8>) {
        let at = text.lastIndex(of: UInt8(ascii: "@"))
        var host = text[(at.map { $0 + 1 } ?? text.startIndex)...]
        var port: Int?
        let afterBracket = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
        if let colon = host[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
            let digits = host[(colon + 1)...]
            guard digits.allSatisfy(\.isDigit) else { return nil }
            if !digits.isEmpty {
                guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(number) else {
                    return nil
                }
                port = number
            }
            host = host[..<colon]
        }
        let isAddress = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]") && host.count > 2
        let inner = isAddress ? host.dropFirst().dropLast() : host
        guard !inner.isEmpty, isAddress ? Self.isIPv6(inner) : inner.allSatisfy(Self.isNameByte) else {
            return nil
        }
        userInformation = at.map { String(decoding: text[..<$0], as: UTF8.self) }
        self.host = String(decoding: host, as: UTF8.self).lowercased()
        self.port = port
    }

    /// `user:password` for HTTP's Basic scheme, with percent escapes decoded; nil if there is neither.
    static func credentials(_ userInformation: String?) -> String? {
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

    /// Whether the text has only characters that a URL may contain, and each percent sign begins an escape.
    static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        for (index, byte) in bytes.enumerated() {
            guard byte > 0x20, byte < 0x7F, !forbidden.contains(byte) else { return false }
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].isHexadecimalDigit, bytes[index + 2].isHexadecimalDigit
                else { return false }
            }
        }
        return true
    }

    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.contains(0) else { return false }
        var address = in6_addr()
        // Swift passes the text with a final NUL, and both arguments live until the call returns.
        return unsafe inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1
    }

    /// Percent escapes are refused: no name in DNS needs one, and one could hide which host is asked.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        ![UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "%")].contains(byte)
    }
}
