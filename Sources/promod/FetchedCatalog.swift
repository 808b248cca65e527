import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

/// Fetched bytes, checked against the catalog's rules.
struct FetchedCatalog {
    var report: CatalogReport
    /// The catalog; nil if it breaks rules or has no good signature.
    let catalog: AppCatalog?
    /// Why the bytes are not a valid catalog, in one sentence; nil if they are.
    let failure: Failure?

    /// Checks bytes. In messages they go by the name: a file's, or an address without user, password and query.
    /// - Parameter trust: whose catalogs count.
    init(name: String, bytes: [UInt8], trust: CatalogTrust = .anyone) {
        var warnings: [CatalogReport.Finding] = []
        do {
            let text = try CatalogText(bytes)
            warnings = text.warnings.map(CatalogReport.Finding.init) + Self.sizeWarning(bytes.count)
            let catalog = try text.catalog()
            let verified = try trust.check(text)
            let unchecked = verified == nil ? text.signature : nil
            let signature: CatalogReport.Signature? = verified != nil ? .good : unchecked != nil ? .unchecked : nil
            let end = (verified?.expiresAt ?? unchecked?.expiresAt).flatMap { $0 <= ProcessSetup.now() ? $0 : nil }
            let content = CatalogReport.Content(
                apps: catalog.apps.count, rules: catalog.promoRules.count,
                generation: CatalogDigest(of: bytes).generation, signature: signature)
            report = CatalogReport(name: name, content: content, warnings: warnings, errors: [])
            report.delivery = end.map { ["The signature expired at \($0.rfc3339); sign the catalog again."] } ?? []
            self.catalog = catalog
            failure = nil
        } catch {
            report = CatalogReport(name: name, content: nil, warnings: warnings, errors: error.findings)
            catalog = nil
            failure = error.failure
        }
    }

    private static func sizeWarning(_ bytes: Int) -> [CatalogReport.Finding] {
        let limit = CatalogConfiguration().maximumBytes
        guard bytes > limit else { return [] }
        return [
            CatalogReport.Finding(
                position: TextPosition(line: 1, column: 1), pointer: "",
                message: "it has \(bytes) bytes, and by default promod takes at most \(limit) (catalog.max-bytes)")
        ]
    }
}

extension CatalogError {
    fileprivate var findings: [CatalogReport.Finding] {
        switch self {
        case .html:
            let start = TextPosition(line: 1, column: 1)
            return [CatalogReport.Finding(position: start, pointer: "", message: Self.htmlPage)]
        case .json(let error, let position):
            return [CatalogReport.Finding(position: position, pointer: "", message: "not strict JSON: \(error)")]
        case .signature(let reason):
            let start = TextPosition(line: 1, column: 1)
            return [CatalogReport.Finding(position: start, pointer: "/signature", message: reason)]
        case .schema(let findings):
            return findings.map(CatalogReport.Finding.init)
        }
    }
}

extension CatalogReport.Finding {
    fileprivate init(_ finding: CatalogFinding) {
        self.init(position: finding.position, pointer: finding.pointer, message: finding.message)
    }
}
