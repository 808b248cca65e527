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
            if let markup = Markup(text) { throw .markup(markup) }
            throw .json(error, at: TextPosition(of: error.offset, in: text), CommonMistake(error, in: text))
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
    package var warnings: [CatalogFinding] { linted.warnings.located(in: document) }

    /// What is no mistake, but good to know.
    package var notes: [CatalogFinding] { linted.notes.located(in: document) }

    private var linted: CatalogLinter {
        var linter = CatalogLinter(document.root)
        linter.lint(hasMark: hasMark)
        return linter
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

}

/// What a server sends in place of a catalog, with what it may be.
package enum Markup: String, Sendable {
    case html =
        "an HTML page, not JSON. It may be an error page, the sign-in page of a network, or a page that shows the file in place of the file itself"
    case xml = "XML, not JSON. It may be the error of an object store: check the address, and who may read it"

    /// The markup in a text that is not JSON; nil if it is another text.
    init?(_ text: [UInt8]) {
        let visible = text.prefix(1024).drop { $0 <= 0x20 }
        let start = String(decoding: visible.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self).lowercased()
        guard start.hasPrefix("<") else { return nil }
        if ["<!doctype html", "<html", "<head", "<body"].contains(where: start.contains) {
            self = .html
        } else if start.hasPrefix("<?xml") || start.hasPrefix("<error>") {
            self = .xml
        } else {
            return nil
        }
    }
}

/// Why bytes are not a catalog.
package enum CatalogError: Error, Equatable, Sendable {
    /// They are a page for people, or another program's error.
    case markup(Markup)
    /// They are not strict JSON, perhaps for a common reason.
    case json(JSONError, at: TextPosition, CommonMistake?)
    /// They break at least one rule.
    case schema([CatalogFinding])

    /// Why a text is not JSON.
    package static func notJSON(_ error: JSONError, _ mistake: CommonMistake?) -> String {
        "not strict JSON: \(mistake?.rawValue ?? "\(error)")"
    }

    /// The failure of a fetch that returned these bytes, with the first finding and the number of the others.
    package var failure: Failure {
        switch self {
        case .markup(let markup): Failure(.json, "The catalog is \(markup.rawValue).")
        case .json(let error, let position, let mistake):
            Failure(.json, "The catalog is \(Self.notJSON(error, mistake)) (\(position.words)).")
        case .schema(let findings):
            Failure(
                .schema,
                "The catalog breaks a rule at \(findings[0].position.words), "
                    + "\(findings[0].pointer.isEmpty ? "(root)" : findings[0].pointer): \(findings[0].message)"
                    + (findings.count > 1 ? " And \(findings.count - 1) more; promod validate lists them." : ""))
        }
    }
}

/// The mistakes that people make most often in a file of JSON, which are named as what they are.
package enum CommonMistake: String, Sendable {
    case wideUnits = "UTF-16 or UTF-32, in which some editors save text; save it as UTF-8"
    case gzip = "compressed by gzip, without the header \"Content-Encoding: gzip\""
    case comment = "a comment, which JSON does not allow"
    case curlyQuote = "a curly quote, as word processors write it, in place of a straight one (\")"
    case singleQuote = "a single quote in place of a double one (\")"
    case trailingComma = "a comma after the last element, which JSON does not allow"

    /// The mistake behind an error in a text; nil if it is none of these.
    init?(_ error: JSONError, in text: [UInt8]) {
        // The first character is ASCII; UTF-16 writes it with one NUL, and UTF-32 with three.
        let isWide = text.prefix(4).contains(0) && text.prefix(4).contains { $0 != 0 }
        if text.starts(with: [0x1F, 0x8B]) {
            self = .gzip
            return
        }
        if isWide || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
            self = .wideUnits
            return
        }
        if error.problem == .trailingComma {
            self = .trailingComma
            return
        }
        let wrong = Array(text[min(error.offset, text.count)...].prefix(3))
        switch (wrong.first, wrong.dropFirst().first) {
        case (UInt8(ascii: "#"), _), (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "/"), UInt8(ascii: "*")):
            self = .comment
        case (UInt8(ascii: "'"), _): self = .singleQuote
        case (0xE2, 0x80) where wrong.count == 3 && 0x98...0x9F ~= wrong[2]: self = .curlyQuote
        default: return nil
        }
    }
}
