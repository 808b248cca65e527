import Glibc

/// The authority of a URL: `user:password@host:port`.
struct URLAuthority {
    /// The user and password with escapes where a URL needs them; nil if both are empty.
    let userInformation: String?
    /// The host in lower case and without escapes; an IPv6 address has its brackets.
    let host: String
    /// The port; nil if none is written.
    let port: Int?

    /// Reads an authority.
    init(_ text: ArraySlice<UInt8>) throws(URLProblem) {
        let at = text.lastIndex(of: UInt8(ascii: "@"))
        let place = text[(at.map { $0 + 1 } ?? text.startIndex)...]
        let afterBracket = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
        let colon = place[afterBracket...].firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
        host = try Self.host(place[..<colon])
        port = try Self.port(place[colon...].dropFirst())
        userInformation = at.flatMap { Self.userInformation(text[..<$0]) }
    }

    private static let escapedInUser = Set("\"#<>?`{}/:;=@[\\]^|".utf8)

    private static func userInformation(_ text: ArraySlice<UInt8>) -> String? {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.escaped(escapedInUser) }
        let whole = parts.last?.isEmpty == true ? parts[0] : parts.joined(separator: ":")
        return whole.isEmpty ? nil : whole
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(URLProblem) -> Int? {
        if digits.isEmpty { return nil }
        guard digits.allSatisfy(\.isDigit), let number = Int(String(decoding: digits, as: UTF8.self)),
            1...65_535 ~= number
        else { throw .badPort }
        return number
    }

    private static func host(_ written: ArraySlice<UInt8>) throws(URLProblem) -> String {
        if written.first == UInt8(ascii: "["), written.last == UInt8(ascii: "]") {
            return "[\(try normalIPv6(written.dropFirst().dropLast()))]"
        }
        let text = String(decoding: written.unescaped, as: UTF8.self)
        // No name in DNS has other characters, and libraries disagree about them.
        if let odd = text.unicodeScalars.first(where: { !($0.isASCII && isNameByte(UInt8(ascii: $0))) }) {
            throw .inHost(odd)
        }
        guard !text.isEmpty else { throw .noHost }
        let host = text.lowercased()
        guard !endsInNumber(host) || isIPv4(host) else { throw .badIPv4 }
        return host
    }

    /// Whether it is a letter of ASCII.
    static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isDigit || isLetter(byte) || "-._".utf8.contains(byte)
    }

    /// Whether browsers and resolvers take the host for an IPv4 address, in one of its forms.
    private static func endsInNumber(_ host: String) -> Bool {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last?.utf8, !last.isEmpty else { return false }
        return last.allSatisfy(\.isDigit)
            || last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(\.isHexadecimalDigit)
    }

    private static func isIPv4(_ host: String) -> Bool {
        var address = in_addr()
        // Swift passes the text with a final NUL, and both arguments live until the call returns.
        return unsafe inet_pton(AF_INET, host, &address) == 1
    }

    private static func normalIPv6(_ text: ArraySlice<UInt8>) throws(URLProblem) -> String {
        var address = in6_addr()
        var normal = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // As above; the result fits, and ends with a NUL.
        guard !text.contains(0), unsafe inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1,
            unsafe inet_ntop(AF_INET6, &address, &normal, socklen_t(normal.count)) != nil
        else { throw .badIPv6 }
        return String(decoding: normal.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    }
}
