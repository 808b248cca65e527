import Glibc
import PromoWire

/// A file of certificates that the configuration names. It is read for each fetch. That of config.toml is also checked when that is loaded, because the
/// next fetch may be hours later.
package enum TrustedCertificates {
    /// More than ten times the size of all certificates that browsers trust.
    static let maximumBytes = 4 << 20

    /// The problem with the file, which begins with its path; nil if it seems to have certificates, which only the process that fetches
    /// parses.
    package static func problem(
        in path: String, _ readFile: ConfigurationLoader.ReadFile = FileReader.read
    ) -> String? {
        let shown = path.endShortened(to: 80)
        do throws(SystemError) {
            guard let bytes = try readFile(path, maximumBytes) else { throw SystemError("read", path, number: ENOENT) }
            let isPEM = bytes.firstRange(of: Array("-----BEGIN CERTIFICATE-----".utf8)) != nil
            return isPEM ? nil : "\(shown) holds no readable PEM certificate"
        } catch {
            let number = error.number > 0 ? " (errno \(error.number))" : ""
            return "\(shown) cannot be read: \(error.reason)\(number)\(hint(path))"
        }
    }

    private static func hint(_ path: String) -> String {
        let temporary = ["/tmp/", "/var/tmp/"].first { path.utf8.starts(with: $0.utf8) }
        return temporary.map {
            "; the service has a \($0.dropLast()) of its own (PrivateTmp), so keep the file elsewhere"
        } ?? ""
    }
}
