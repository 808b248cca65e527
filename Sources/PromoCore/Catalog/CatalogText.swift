package import PromoWire

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

    /// What is wrong with the icons of a valid catalog; each address is checked once.
    package func findings(ofIcons check: (HTTPSURL) -> String?) -> [CatalogFinding] {
        var findings = CatalogFindings(), seen: Set<String> = []
        guard let apps = CatalogSpot(root: document.root).member("apps") else { return [] }
        for case let spot? in apps.elements.map({ $0.member("iconURL") }) {
            let text = spot.value.ascii(upTo: HTTPSURL.maximumLength) ?? ""
            if seen.insert(text).inserted, let flaw = HTTPSURL(text).flatMap(check) { findings.add(flaw, at: spot) }
        }
        return findings.located(in: document)
    }

    /// Whether a text that is not JSON is an HTML page.
    private static func isHTML(_ text: [UInt8]) -> Bool {
        let visible = text.prefix(1024).drop { $0 <= 0x20 }
        let start = String(decoding: visible.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self).lowercased()
        return start.hasPrefix("<") && ["<!doctype html", "<html", "<head", "<body"].contains { start.contains($0) }
    }
}
