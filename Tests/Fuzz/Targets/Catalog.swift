import PromoCore
import PromoTestSupport
import PromoWire

extension FuzzTarget {
    /// A verdict on a catalog does not depend on the order of members, and the rows of a valid one are JSON with every app in order.
    static let catalog = FuzzTarget(name: "catalog") { input in
        guard let text = try? CatalogText(input) else { return }
        _ = text.warnings
        let catalog = try? text.catalog()
        if let root = try? JSONDocument(input, maximumDepth: AppCatalog.maximumDepth).root {
            let reversed = try? AppCatalog(root.reversed)
            try require(catalog == reversed, "the verdict is another with the members in the opposite order")
        }
        guard let catalog else { return }
        for app in catalog.apps {
            for text in [app.name] + app.category.texts.values + app.tagline.texts.values {
                let isPlain = String(decoding: text.bytes, as: UTF8.self).unicodeScalars.allSatisfy(isPrintable)
                try require(isPlain && text.isVisible, "a text is empty, or has a control character")
            }
        }
        let prepared = PreparedCatalog(catalog, generation: "0")
        for host in [nil] + catalog.promoRules.keys.map(Optional.some) {
            try checkRows(of: prepared, catalog, prepared.selection(host: host), limit: nil)
        }
        try checkRows(of: prepared, catalog, prepared.selection(host: nil), limit: 1)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    private static func checkRows(
        of prepared: PreparedCatalog, _ catalog: AppCatalog, _ selection: PreparedCatalog.Selection, limit: Int?
    ) throws {
        let expected = selection.ranges.flatMap { catalog.apps[$0] }.prefix(limit ?? .max).map(\.id)
        guard !expected.isEmpty else { return }
        for language in [.all] + Language.allCases.map(TaglineLanguage.one) {
            var output = OutputQueue()
            output.array(of: prepared.list(in: language), selection.first(limit, among: [0..<prepared.count]))
            let rows = try JSONDocument(output.text, maximumDepth: 3).root.elements
            try require(rows.compactMap { $0["id"]?.string } == expected, "the rows in \(language) are of other apps")
        }
    }
}
