import CrossPromoKit
import Foundation

extension PromoApp {
    /// An app with defaults for everything that a test is not about.
    static func sample(
        _ id: String = "bookary", name: String? = nil, category: String = "Books",
        tagline: String = "Every book you read", iconFile: URL? = nil, placeholder: IconPlaceholder? = nil
    ) throws -> PromoApp {
        PromoApp(
            id: id, name: name ?? id, appStoreID: "1", iconURL: try url("https://a.example/icon.png"),
            category: category, tagline: LocalizedText(en: tagline), iconFile: iconFile,
            placeholder: placeholder ?? IconPlaceholder(initials: String((name ?? id).prefix(2)).capitalized))
    }
}

/// A URL from a text that is known to be valid.
func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
}
