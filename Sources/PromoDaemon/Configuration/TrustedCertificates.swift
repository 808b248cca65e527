import Glibc
import PromoCore
import PromoWire

/// A file of certificates that the configuration names. It is read for each fetch. That of config.toml is also checked when that is loaded, because the
/// next fetch may be hours later.
package enum TrustedCertificates {
    /// More than ten times the size of all certificates that browsers trust.
    private static let maximumBytes = 4 << 20

    private static let header = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let footer = Array("-----END CERTIFICATE-----".utf8)

    /// Whether the file has certificates in PEM, by the first one's lines and base64. Only the process that fetches parses more.
    private static func holdsCertificates(_ path: String, _ readFile: ConfigurationLoader.ReadFile) throws(SystemError)
        -> Bool
    {
        guard let bytes = try readFile(path, maximumBytes) else { throw SystemError("read", path, number: ENOENT) }
        // No more lines are cut than it takes to find one, because a file may hold hundreds.
        let lines = sequence(state: bytes[...]) { rest -> ArraySlice<UInt8>? in
            guard !rest.isEmpty else { return nil }
            let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            rest = rest[line.endIndex...].dropFirst()
            return line
        }
        var text: [UInt8]?
        for line in lines {
            if let text, line.elementsEqual(footer) { return isCertificate(text) }
            if text == nil, line.elementsEqual(header) { text = [] } else { text? += line }
        }
        return false
    }

    private static func isCertificate(_ base64: [UInt8]) -> Bool {
        let der = OutsideText(base64).ascii(upTo: maximumBytes).flatMap(Base64.decode) ?? []
        // A sequence (30) that is longer than 127 bytes (8x), as every certificate is.
        return der.count > 128 && der[0] == 0x30 && der[1] & 0xF0 == 0x80
    }

    /// The problem with the file, which begins with its path; nil if it has certificates.
    package static func problem(
        in path: String, _ readFile: ConfigurationLoader.ReadFile = FileReader.read
    ) -> String? {
        do throws(SystemError) {
            return try holdsCertificates(path, readFile)
                ? nil : "\(path.endShortened(to: 80)) does not hold certificates in PEM that can be read"
        } catch {
            return unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> String {
        let number = error.number > 0 ? " (errno \(error.number))" : ""
        return "\(path.endShortened(to: 80)) cannot be read: \(error.reason)\(number)\(hint(path))"
    }

    private static func hint(_ path: String) -> String {
        let temporary = ["/tmp/", "/var/tmp/"].first { path.utf8.starts(with: $0.utf8) }
        return temporary.map {
            "; the service has a \($0.dropLast()) of its own (PrivateTmp), so keep the file elsewhere"
        } ?? ""
    }
}
