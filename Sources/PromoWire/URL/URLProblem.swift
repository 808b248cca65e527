/// Why promod cannot use an address.
package struct URLProblem: Error, Equatable, Sendable {
    /// The reason, as a clause whose subject is the address.
    package let clause: String

    static let tooLong = URLProblem(clause: "is longer than \(HTTPSURL.maximumLength) bytes")
    static let notHTTPS = URLProblem(clause: "is not https")
    static let noHost = URLProblem(clause: "has no host")
    static let badPort = URLProblem(clause: "has a port that is not a number from 1 to 65535")
    static let badIPv4 = URLProblem(
        clause: "has a host that ends in a number, and is not an IPv4 address such as 192.0.2.1")
    static let badIPv6 = URLProblem(clause: "has a host in brackets that is not an IPv6 address")

    /// A host cannot contain a character.
    static func inHost(_ scalar: Unicode.Scalar) -> URLProblem {
        let advice = scalar.isASCII ? "" : "; write the host in its ASCII form, with xn--"
        return URLProblem(clause: "has \(name(scalar)) in its host\(advice)")
    }

    /// The character, if it can be shown, and its number.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        let number = scalar.number
        let isShown = !scalar.isMark && String(scalar).printable.unicodeScalars.first == scalar
        return scalar == " " ? "a blank (\(number))" : isShown ? "“\(scalar)” (\(number))" : "the character \(number)"
    }
}
