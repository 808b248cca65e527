import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

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
                generation: CatalogDigest(of: bytes).short)
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
