import Glibc

/// The authority of a URL: `user:password@host:port`.
struct URLAuthority {
    /// The user and password with escapes; nil if there is neither.
    let userInformation: String?
    /// The host in lower case; an IPv6 address has its brackets.
    let host: String
    /// The port; nil if none is written.
    let port: Int?

    /// Reads an authority.
    init(_ text: ArraySlice<UInt8>) throws(URLProblem) {
        let at = text.lastIndex(of: UInt8(ascii: "@"))
        let place = text[(at.map { $0 + 1 } ?? text.startIndex)...]
        let bracket = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
        let colon = place[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
        host = try Self.host(place[..<colon])
        port = try Self.port(place[colon...].dropFirst())
        let user = at.map { text[..<$0].escaped.replacing("@", with: "%40") }
        userInformation = user?.isEmpty == false ? user : nil
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(URLProblem) -> Int? {
        if digits.isEmpty { return nil }
        try URLProblem.check(digits, in: "port", \.isDigit)
        guard let number = Int(String(decoding: digits, as: UTF8.self)), 1...65_535 ~= number else { throw .badPort }
        return number
    }

    private static func host(_ written: ArraySlice<UInt8>) throws(URLProblem) -> String {
        guard !written.isEmpty else { throw .noHost }
        if written.first == UInt8(ascii: "["), written.last == UInt8(ascii: "]") {
            var address = in6_addr()
            let text = String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
            // C would read to the first NUL only; an address has 16 bytes.
            guard !written.contains(0), unsafe inet_pton(AF_INET6, text, &address) == 1 else { throw .badIPv6 }
        } else {
            // No name in DNS has other characters, and libraries disagree about them.
            try URLProblem.check(written, in: "host") { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }
        }
        return String(decoding: written, as: UTF8.self).lowercased()
    }
}

/// Why promod cannot use an address.
package struct URLProblem: Error, Equatable, Sendable {
    /// The reason, as a clause whose subject is the address.
    package let clause: String

    static let tooLong = URLProblem(clause: "is longer than \(HTTPSURL.maximumLength) bytes")
    static let notHTTPS = URLProblem(clause: "is not https")
    static let noHost = URLProblem(clause: "has no host")
    static let badPort = URLProblem(clause: "has a port that is not from 1 to 65535")
    static let badIPv6 = URLProblem(clause: "has a host in brackets that is not an IPv6 address")

    /// Throws if a part has a character that it cannot have, and names it.
    static func check(
        _ part: ArraySlice<UInt8>, in name: String, _ isAllowed: (UInt8) -> Bool
    ) throws(URLProblem) {
        guard let place = part.firstIndex(where: { !isAllowed($0) }) else { return }
        let odd = part.scalar(at: place)
        let advice = odd.isASCII || name != "host" ? "" : "; write the host in its ASCII form, with xn--"
        throw URLProblem(clause: "has \(odd.named) in its \(name)\(advice)")
    }
}

extension ArraySlice<UInt8> {
    /// The bytes in the characters that RFC 3986 has for a path, a query and a fragment: with escapes for all others, and for a percent sign
    /// that begins no escape.
    var escaped: String {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        for index in indices {
            if isAllowed(at: index) {
                text.append(self[index])
            } else {
                text += (self[index] < 16 ? "%0" : "%").utf8
                text += String(self[index], radix: 16, uppercase: true).utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first character that ``escaped`` escapes; nil if there is none.
    var firstToEscape: Unicode.Scalar? { indices.first { !isAllowed(at: $0) }.map { scalar(at: $0) } }

    private func isAllowed(at index: Int) -> Bool {
        let byte = self[index]
        guard byte == UInt8(ascii: "%") else { return 0x21...0x7E ~= byte && !"\"#<>[\\]^`{|}".utf8.contains(byte) }
        let digits = self[index...].dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy(\.isHexadecimalDigit)
    }

    /// The character of which a byte is the first.
    package func scalar(at index: Int) -> Unicode.Scalar {
        String(decoding: self[index...].prefix(4), as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    }
}

extension Sequence<UInt8> {
    /// The bytes with percent escapes decoded; a percent sign that begins none stays.
    package var unescaped: [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(self)[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit) {
                bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension UInt8 {
    /// Whether it is a letter of ASCII.
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}
