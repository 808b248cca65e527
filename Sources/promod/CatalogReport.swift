import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

/// The result of checking a catalog, which `promod validate --json` prints.
struct CatalogReport: JSONWritable {
    /// The contents of a valid catalog.
    struct Content {
        var apps: Int
        var rules: Int
        var generation: String
    }

    /// The path of the catalog's file, or its address without user, password or query.
    var name: String
    /// nil if the catalog is not valid.
    var content: Content?
    /// Probable mistakes.
    var warnings: [CatalogFinding]
    /// Broken rules, at least one if the catalog is not valid.
    var errors: [CatalogFinding]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("catalog", name)
            writer.member("good", content != nil)
            writer.member("apps", content?.apps)
            writer.member("rules", content?.rules)
            writer.member("generation", content?.generation)
            writer.member("warnings", warnings)
            writer.member("errors", errors)
        }
    }

    /// The report for people, line by line.
    var lines: [String] {
        let findings =
            warnings.map { "\(name):\($0.position): warning: \($0.text)" } + errors.map { "\(name):\($0.line)" }
        guard let content else { return findings }
        let counts = [
            content.apps.counting("app"), content.rules.counting("rule"), "generation \(content.generation)",
        ]
        let remarks = warnings.isEmpty ? [] : [warnings.count.counting("warning")]
        return findings + ["\(name): good, \((counts + remarks).joined(separator: ", "))"]
    }
}

extension CatalogReport {
    /// Checks bytes against the catalog's rules. Messages use the name: a file's path, or an address without user, password or query.
    init(name: String, bytes: [UInt8], icons problem: (HTTPSURL) -> String? = { _ in nil }) {
        var warnings: [CatalogFinding] = []
        do {
            let text = try CatalogText(bytes)
            warnings = text.warnings + Self.sizeWarning(bytes.count)
            let catalog = try text.catalog()
            warnings += text.findings(ofIcons: problem)
            let content = CatalogReport.Content(
                apps: catalog.apps.count, rules: catalog.promoRules.count,
                generation: Digest(of: bytes).short)
            self.init(name: name, content: content, warnings: warnings, errors: [])
        } catch {
            self.init(name: name, content: nil, warnings: warnings, errors: error.findings)
        }
    }

    private static func sizeWarning(_ bytes: Int) -> [CatalogFinding] {
        let limit = AppCatalog.maximumBytes
        guard bytes > limit else { return [] }
        let message = "it has \(bytes) bytes, and promod takes at most \(limit)"
        return [CatalogFinding(message: message)]
    }
}

extension CatalogError {
    fileprivate var findings: [CatalogFinding] {
        switch self {
        case .html: [CatalogFinding(message: Self.htmlPage)]
        case .json(let error, let position, let mistake):
            [CatalogFinding(position: position, message: Self.notJSON(error, mistake))]
        case .schema(let findings): findings
        }
    }
}
