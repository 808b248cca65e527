import PromoCore
import PromoWire
import Testing

/// A catalog with the places of its broken rules and its warnings, and words that the messages about them have, one for each.
struct CatalogCase: CustomTestStringConvertible, Sendable {
    let text: String
    var findings: [String] = []
    var warnings: [String] = []
    var notes: [String] = []
    var says: [String] = []

    /// A whole text.
    init(_ text: String, findings: [String] = [], warnings: [String] = [], notes: [String] = [], says: [String] = []) {
        (self.text, self.findings, self.warnings, self.notes) = (text, findings, warnings, notes)
        self.says = says
    }

    /// A catalog with one app in which members are replaced or added.
    init(
        _ changes: [String: String?], findings: [String] = [], warnings: [String] = [], notes: [String] = [],
        says: [String] = []
    ) {
        func places(_ names: [String]) -> [String] { names.map { "/apps/0/\($0)" } }
        self.init(
            catalog([app("bookary", changes)]), findings: places(findings), warnings: places(warnings),
            notes: places(notes), says: says)
    }

    /// A catalog with an app "bookary", an app "finebill" and rules.
    init(rules: String, findings: [String] = [], warnings: [String] = [], says: [String] = []) {
        let places = (findings.map { "/promoRules\($0)" }, warnings.map { "/promoRules\($0)" })
        self.init(
            catalog([app(), app("finebill")], rules: rules), findings: places.0, warnings: places.1, says: says)
    }

    var testDescription: String { String(text.prefix(200)) }

    /// Reads the catalog, and compares the places, the words and the form of the messages.
    func check() {
        let (found, warned, noted) = (
            PromoCoreTests.findings(text), PromoCoreTests.warnings(text), PromoCoreTests.notes(text)
        )
        #expect(found.map(\.pointer) == findings, "\(found)")
        #expect(warned.map(\.pointer) == warnings, "\(warned)")
        #expect(noted.map(\.pointer) == notes, "\(noted)")
        let messages = (found + warned + noted).map(\.message)
        for message in messages { #expect(message.last == "." || message.last == "?", "\(message)") }
        for finding in found where !finding.message.hasPrefix("No app") {
            #expect(finding.message.contains(" must "), "\(finding)")
        }
        for word in says { #expect(messages.contains { $0.contains(word) }, "\(word) is not in \(messages)") }
    }
}
