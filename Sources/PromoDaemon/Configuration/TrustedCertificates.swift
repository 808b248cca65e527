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
        do throws(SystemError) {
            let certificates = try read(path, readFile)
            return certificates == nil ? "\(name(path)) does not hold certificates in PEM that can be read" : nil
        } catch {
            return unreadable(path, error)
        }
    }

    /// Whether this process can read certificates in the file.
    static func diagnosis(of path: String) -> Diagnosis {
        guard let problem = problem(in: path) else {
            return Diagnosis("Certificates", .good, "promod can read those in \(path.endShortened(to: 80))")
        }
        return Diagnosis("Certificates", .bad, problem.sentence)
    }

    /// Whether this process may read a file that a client names. It is neither opened nor read, so that a client in a sandbox learns
    /// nothing of its contents.
    static func diagnosis(ofUnread path: OutsideText) -> Diagnosis {
        let isCut = path.bytes.contains(0)
        let path = String(decoding: path.bytes, as: UTF8.self)
        do throws(SystemError) {
            // For the kernel, the path would end at the NUL.
            if isCut { throw SystemError("read", path, number: EINVAL) }
            try FileReader.check(path, maximumBytes: maximumBytes)
            return Diagnosis("Certificates", .good, "promod may read \(path.endShortened(to: 80).printable)")
        } catch {
            return Diagnosis("Certificates", .bad, unreadable(path, error).printable.sentence)
        }
    }

    private static func name(_ path: String) -> String { "catalog.ca-file \(path.endShortened(to: 80))" }

    private static func unreadable(_ path: String, _ error: SystemError) -> String {
        let number = error.number > 0 ? " (errno \(error.number))" : ""
        return "\(name(path)) cannot be read: \(error.reason)\(number)\(hint(path))"
    }

    private static func hint(_ path: String) -> String {
        let temporary = ["/tmp/", "/var/tmp/"].first { path.utf8.starts(with: $0.utf8) }
        return temporary.map {
            "; the service has a \($0.dropLast()) of its own (PrivateTmp), so keep the file elsewhere"
        } ?? ""
    }
}
