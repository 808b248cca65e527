import PromoCore
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
