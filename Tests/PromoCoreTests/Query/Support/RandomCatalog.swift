import PromoTestSupport
import PromoWire

/// A random catalog, and a simple reference for the replies about it.
struct RandomCatalog {
    private struct App {
        var id: String
        var name: String
        var category: String
        /// The translations by language; nil for null in the catalog, and no entry for an absent member.
        var tagline: [String: String?]

        var shownTaglines: [String: String] { tagline.compactMapValues { $0?.isEmpty == false ? $0 : nil } }
    }

    private var apps: [App] = []
    private var rules: [String: [String]] = [:]

    /// The hosts to test: every app, every host with a rule, and unknown hosts.
    var hosts: [String?] { [nil, "stranger", ""] + apps.map(\.id) + rules.keys.filter(AppID.isWellFormed).sorted() }
    /// The number of apps.
    var count: Int { apps.count }

    init(using generator: inout SeededGenerator) {
        for index in 0..<Int.random(in: 1...12, using: &generator) {
            apps.append(Self.app(index, using: &generator))
        }
        for host in apps.map(\.id) + ["guest", "빌", "a\"b\\/~"] where Bool.random(using: &generator) {
            let length = Int.random(in: 0...2 * count, using: &generator)
            rules[host] = (0..<length).map { _ in apps[Int.random(in: 0..<count, using: &generator)].id }
        }
    }

    // MARK: The text

    func bytes(using generator: inout SeededGenerator) -> [UInt8] {
        var parts: [String] = []
        for app in apps {
            let taglines = app.tagline.sorted { $0.key < $1.key }.map { language, text in
                "\"\(language)\" : \(text.map { Self.quoted($0, using: &generator) } ?? "null")"
            }
            let name = Self.quoted(app.name, using: &generator)
            let category = Self.quoted(app.category, using: &generator)
            parts.append(
                """
                {"tagline":{\(taglines.joined(separator: ","))},"category":\(category),"name":\(name),"more":[{}],
                 "appStoreID":"1\(app.id.utf8.count)","iconURL":"https://a.example/\(app.id)","id":"\(app.id)"}
                """)
        }
        let rules = rules.sorted { $0.key < $1.key }.map { host, ids in
            "\(Self.quoted(host, using: &generator)):[\(ids.map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        let text = "{\"apps\":[\(parts.joined(separator: ","))],\"promoRules\":{\(rules.joined(separator: ","))}}"
        return Array(text.utf8)
    }

    // MARK: The reference

    func isKnown(_ host: String?) -> Bool {
        guard let host else { return true }
        return rules[host] != nil || apps.contains { $0.id == host }
    }

    func shown(to host: String?, in language: TaglineLanguage, limit: Int?) -> JSON {
        let shown = apps.filter { app in
            guard let host else { return true }
            return app.id != host && (rules[host]?.contains(app.id) ?? true)
        }
        return .array(shown.prefix(limit ?? .max).map { Self.json($0, language) })
    }

    private static func json(_ app: App, _ language: TaglineLanguage) -> JSON {
        let taglines = app.shownTaglines
        let tagline: JSON =
            switch language {
            case .all: .object(taglines.filter { ["en", "ko", "ja"].contains($0.key) }.mapValues(JSON.string))
            case .one(let language): .string(taglines[language.rawValue] ?? taglines["en"] ?? "")
            }
        let store = "1\(app.id.utf8.count)"
        return [
            "id": .string(app.id), "name": .string(app.name), "appStoreID": .string(store),
            "iconURL": .string("https://a.example/\(app.id)"), "category": .string(app.category),
            "tagline": tagline, "storeURL": .string("https://apps.apple.com/app/id\(store)"),
        ]
    }

    // MARK: Chance

    private static func app(_ index: Int, using generator: inout SeededGenerator) -> App {
        var tagline: [String: String?] = ["en": text(using: &generator)]
        for language in ["ko", "ja", "fr"] {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: tagline[language] = .some(nil)
            case 1: tagline[language] = ""
            case 2: tagline[language] = text(using: &generator)
            default: break
            }
        }
        let length = Int.random(in: 0...20, using: &generator)
        return App(
            id: "\(index)-" + String(repeating: "x", count: length), name: text(using: &generator),
            category: text(using: &generator), tagline: tagline)
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", " ", "\"", "\\", "/", ",", "{", "}", "[", "]", ":", "null", "é", "e\u{301}", "한", "日", "😀", "\u{FFFF}",
            "\u{10FFFF}",
        ]
        let count = Int.random(in: 1...6, using: &generator)
        return (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
    }

    /// A JSON string, with all necessary escapes and some unnecessary ones.
    private static func quoted(_ text: String, using generator: inout SeededGenerator) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || Int.random(in: 0..<4, using: &generator) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}
