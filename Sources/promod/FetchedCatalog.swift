import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

/// Bytes that should be a catalog, and the name under which findings are told.
struct FetchedCatalog {
    /// What the catalog is called in messages; an address without user, password and query.
    let name: String
    private let bytes: [UInt8]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Fetches as a daemon with this configuration does.
    init(_ url: HTTPSURL, _ configuration: PromoDaemon.Configuration) throws {
        do {
            self.init(name: url.description, bytes: try CatalogProbe(configuration).fetch(url))
        } catch {
            StandardError.write("promod: \(url): \(error.message)")
            throw ArgumentParser.ExitCode(69)
        }
    }

    /// The generation that the bytes make.
    var generation: String { CatalogDigest(of: bytes).generation }

    /// The catalog; nil where the bytes are none, with each finding told.
    func checked(telling tell: (String) -> Void) -> AppCatalog? {
        if AppCatalog.hasByteOrderMark(bytes) {
            StandardError.write(
                "\(name): warning: begins with a byte order mark, which promod skips and JSON does not allow")
        }
        do {
            return try AppCatalog(bytes)
        } catch {
            switch error {
            case .json(let error): tell("\(name): no strict JSON text: \(error)")
            case .schema(let findings): for finding in findings { tell("\(name): \(finding)") }
            }
            return nil
        }
    }
}
