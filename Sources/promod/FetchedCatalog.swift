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

    /// Checks bytes, which messages call by the name: a file's path, or an address without user, password and query.
    /// - Parameter trust: the keys, one of which must have signed the catalog.
    init(name: String, bytes: [UInt8], trust: CatalogTrust = .anyone) {
        var warnings: [CatalogReport.Finding] = []
        do {
            let text = try CatalogText(bytes)
            warnings = text.warnings + Self.sizeWarning(bytes.count)
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
        let message = "it has \(bytes) bytes, and by default promod takes at most \(limit) (catalog.max-bytes)"
        return [CatalogReport.Finding(message: message)]
    }
}

extension CatalogError {
    fileprivate var findings: [CatalogReport.Finding] {
        switch self {
        case .html: [CatalogReport.Finding(message: Self.htmlPage)]
        case .json(let error, let position):
            [CatalogReport.Finding(position: position, message: "not strict JSON: \(error)")]
        case .signature(let reason): [CatalogReport.Finding(pointer: "/signature", message: reason)]
        case .schema(let findings): findings
        }
    }
}
