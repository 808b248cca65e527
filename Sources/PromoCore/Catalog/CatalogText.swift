import PromoWire

/// A catalog's bytes, read as strict JSON and not yet checked against the catalog's rules.
package struct CatalogText: Sendable {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let document: JSONDocument
    /// Whether a UTF-8 byte order mark comes first, which is allowed because some editors write one.
    private let hasMark: Bool

    /// Reads a catalog's bytes.
    /// - Throws: ``CatalogError`` if they are not strict JSON.
    package init(_ bytes: [UInt8]) throws(CatalogError) {
        hasMark = bytes.starts(with: Self.byteOrderMark)
        let text = hasMark ? Array(bytes.dropFirst(Self.byteOrderMark.count)) : bytes
        do {
            document = try JSONDocument(text, maximumDepth: AppCatalog.maximumDepth)
        } catch {
            if Self.isHTML(text) { throw .html }
            let position = TextPosition(of: error.offset, in: text)
            let inFile = hasMark ? error.moved(by: Self.byteOrderMark.count) : error
            throw .json(inFile, at: position, CommonMistake(error, in: text))
        }
    }

    /// The catalog.
    /// - Throws: ``CatalogError``, with every finding.
    package func catalog() throws(CatalogError) -> AppCatalog {
        var validator = CatalogValidator(document.root)
        guard let catalog = validator.validate() else {
            throw .schema(validator.findings.located(in: document))
        }
        return catalog
    }

    /// Probable mistakes that break no rule.
    package var warnings: [CatalogFinding] {
        var linter = CatalogLinter(document.root)
        linter.lint(hasMark: hasMark)
        return linter.warnings.located(in: document)
    }

    /// Whether a text that is not JSON is an HTML page.
    private static func isHTML(_ text: [UInt8]) -> Bool {
        let visible = text.prefix(1024).drop { $0 <= 0x20 }
        let start = String(decoding: visible.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self).lowercased()
        return start.hasPrefix("<") && ["<!doctype html", "<html", "<head", "<body"].contains { start.contains($0) }
    }
}
