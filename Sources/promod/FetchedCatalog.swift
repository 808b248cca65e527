import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

/// Bytes that should be a catalog, and the name under which they are reported.
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

    /// The catalog, and how many warnings there are; nil if the bytes are none. Warnings and findings are reported, a line each.
    func checked(reporting report: (String) -> Void) -> (catalog: AppCatalog, warnings: Int)? {
        do {
            let text = try CatalogText(bytes)
            let warnings = text.warnings
            for warning in warnings { report("\(name):\(warning.position): warning: \(warning)") }
            return (try text.catalog(), warnings.count)
        } catch {
            switch error {
            case .html: report("\(name): \(CatalogError.htmlPage)")
            case .json(let error, let position): report("\(name):\(position): not strict JSON: \(error)")
            case .schema(let findings):
                for finding in findings { report("\(name):\(finding.position): \(finding)") }
            }
            return nil
        }
    }
}

extension Int {
    /// So many of something, in words.
    func counting(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
