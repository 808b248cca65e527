import Glibc
import NIOSSL
import PromoWire

/// The file that `catalog.ca-file` names. It is read for each fetch, and also when the configuration is loaded, because the next
/// fetch may be hours later.
package enum TrustedCertificates {
    /// More than ten times the size of all certificate authorities that browsers trust.
    private static let maximumBytes = 4 << 20

    /// Reads the certificates in the file; nil if there are none in PEM.
    static func read(_ path: String, _ readFile: ConfigurationLoader.ReadFile) throws(SystemError)
        -> [NIOSSLCertificate]?
    {
        guard let bytes = try readFile(path, maximumBytes) else {
            throw SystemError("read", path, number: ENOENT)
        }
        return try? NIOSSLCertificate.fromPEMBytes(bytes)
    }

    /// What is wrong with the file; nil if it has certificates.
    package static func problem(
        in path: String,
        _ readFile: ConfigurationLoader.ReadFile = { path, maximumBytes throws(SystemError) in
            try FileReader.read(path, maximumBytes: maximumBytes)
        }
    ) -> String? {
        let file = "catalog.ca-file \(path.endShortened(to: 80))"
        do throws(SystemError) {
            let certificates = try read(path, readFile)
            return certificates == nil ? "\(file) does not hold certificates in PEM that can be read" : nil
        } catch {
            let number = error.number > 0 ? " (errno \(error.number))" : ""
            return "\(file) cannot be read: \(error.reason)\(number)\(hint(path))"
        }
    }

    /// Whether this process can read certificates in the file.
    static func diagnosis(of path: String) -> Diagnosis {
        guard let problem = problem(in: path) else {
            return Diagnosis("Certificates", .good, "promod can read those in \(path.endShortened(to: 80))")
        }
        return Diagnosis("Certificates", .bad, problem.sentence)
    }

    private static func hint(_ path: String) -> String {
        let temporary = ["/tmp/", "/var/tmp/"].first(where: path.hasPrefix)
        return temporary.map {
            "; the service has a \($0.dropLast()) of its own (PrivateTmp), so keep the file elsewhere"
        } ?? ""
    }
}
