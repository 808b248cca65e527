import Foundation
import PromoTestSupport

/// Catalogs that a test writes.
enum CatalogText {
    /// An app with the texts that a person sees; the tagline is the same in every language.
    struct App {
        let id: String
        var name: String
        var category = "Games"
        var tagline = "A game"
    }

    /// A catalog of apps, with every character beyond printable ASCII escaped.
    static func of(_ apps: [App], rules: [String: [String]] = [:]) throws -> String {
        let objects = apps.enumerated().map { index, app -> [String: Any] in
            [
                "id": app.id, "name": app.name, "category": app.category, "tagline": ["en": app.tagline],
                "appStoreID": "\(1000 + index)", "iconURL": "https://example.com/\(app.id).png",
            ]
        }
        let root: [String: Any] = ["apps": objects, "promoRules": rules]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
        return text.utf16.reduce(into: "") { result, unit in
            if (0x20..<0x7F).contains(unit) {
                result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                result += "\\u" + String(UInt32(0x10000) + UInt32(unit), radix: 16).dropFirst()
            }
        }
    }

    /// Texts that would control a terminal, reorder a line or break a table.
    static let hostile = [
        App(
            id: "escapes", name: "Red\u{1B}[31m", category: "\u{9B}31mC1",
            tagline: "Clear\u{1B}[2J\u{1B}]0;owned\u{07}, \u{1B}]8;;https://evil.example\u{1B}\\here"),
        App(id: "bidi", name: "abc\u{202E}fed", category: "\u{2066}x\u{2069}", tagline: "right\u{202D}left\u{202C}"),
        App(
            id: "lines", name: "Tab\there", category: "New\nline",
            tagline: "one\r\ntwo\u{2028}three\u{85}four\u{00}five\u{7F}six\u{08}"),
        App(id: "marks", name: "Cafe\u{301} Z\u{335}\u{336}a", category: "e\u{301}", tagline: "n\u{303}ame"),
        App(id: "pictures", name: "🍅 Tomato", category: "🇰🇷", tagline: "❤️ and 👨‍👩‍👧 and 🍅"),
        App(id: "letterless", name: "★★★", category: "···", tagline: "…"),
        App(id: "wide", name: "日本語アプリ", category: "금융", tagline: "모든 청구서를 제때에"),
    ]

    /// Words longer than any terminal is wide.
    static let endless = [
        App(
            id: "narrow", name: String(repeating: "W", count: 300), category: String(repeating: "c", count: 300),
            tagline: String(repeating: "t", count: 300)),
        App(
            id: "wide", name: String(repeating: "가", count: 300), category: String(repeating: "日", count: 300),
            tagline: String(repeating: "🍅", count: 300)),
        App(
            id: "marked", name: "a" + String(repeating: "\u{301}", count: 300), category: "b", tagline: "c"),
    ]
}
