import PromoWire

/// A validated catalog: the apps in the order in which they are shown, and who promotes whom.
package struct AppCatalog: Equatable, Sendable {
    /// How deep a catalog may be nested.
    package static let maximumDepth = 64

    /// The apps, at least one.
    package let apps: [PromoApp]
    /// For a host with a rule, the ids of the apps that it may promote; all are in ``apps``.
    package let promoRules: [String: [String]]

    /// Reads and checks a catalog's bytes.
    /// - Throws: ``CatalogError``, with every finding.
    package init(_ bytes: [UInt8]) throws(CatalogError) {
        let hasMark = Self.hasByteOrderMark(bytes)
        let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
        let document: JSONDocument
        do {
            document = try JSONDocument(text, maximumDepth: Self.maximumDepth)
        } catch {
            throw CatalogError.json(hasMark ? error.moved(by: 3) : error)
        }
        var validator = CatalogValidator()
        guard let catalog = validator.validate(document.root) else {
            throw CatalogError.schema(validator.findings)
        }
        self = catalog
    }

    init(apps: [PromoApp], promoRules: [String: [String]]) {
        self.apps = apps
        self.promoRules = promoRules
    }

    /// Whether the bytes begin with a UTF-8 byte order mark, which hand-edited files have and a catalog is forgiven.
    package static func hasByteOrderMark(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xEF, 0xBB, 0xBF])
    }
}
