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
    /// Broken rules, at least one if the catalog is not valid.
    var errors: [CatalogFinding] = []
    /// Probable mistakes.
    var warnings: [CatalogFinding] = []
    /// What is no mistake, but good to know.
    var notes: [CatalogFinding] = []

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("catalog", name)
            writer.member("good", content != nil)
            writer.member("apps", content?.apps)
            writer.member("rules", content?.rules)
            writer.member("generation", content?.generation)
            writer.member("errors", errors)
            writer.member("warnings", warnings)
            writer.member("notes", notes)
        }
    }

    /// The report for people, line by line.
    var lines: [String] {
        let findings = [("error", errors), ("warning", warnings), ("note", notes)].filter { !$0.1.isEmpty }
        let contents = content.map {
            ["good", $0.apps.counting("app"), $0.rules.counting("rule"), "generation \($0.generation)"]
        }
        let totals = (contents ?? []) + findings.map { $0.1.count.counting($0.0) }
        return findings.flatMap { kind, found in found.map { "\(name):\($0.position): \(kind): \($0.text)" } }
            + ["\(name): \(totals.joined(separator: ", "))"]
    }
}

extension CatalogReport {
    /// Checks bytes against the catalog's rules. Messages use the name: a file's path, or an address without user, password or query.
    init(name: String, bytes: [UInt8], icons problem: (HTTPSURL) -> String? = { _ in nil }) {
        self.init(name: name)
        do {
            let text = try CatalogText(bytes)
            (warnings, notes) = (text.warnings + Self.sizeWarning(bytes.count), text.notes)
            let catalog = try text.catalog()
            warnings += text.findings(ofIcons: problem)
            content = CatalogReport.Content(
                apps: catalog.apps.count, rules: catalog.promoRules.count, generation: Digest(of: bytes).short)
        } catch {
            errors = error.findings
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
        case .markup(let markup): [CatalogFinding(message: "The catalog is \(markup.rawValue).")]
        case .json(let error, let position, let mistake):
            [CatalogFinding(position: position, message: Self.notJSON(error, mistake))]
        case .schema(let findings): findings
        }
    }
}
