import CrossPromoKit
import Foundation

extension PromoApp {
    /// An app of which only what a test is about need be said.
    static func sample(
        _ id: String = "bookary", name: String? = nil, category: String = "Books",
        tagline: String = "Every book you read",
        storeURL: String = "https://apps.apple.com/app/id1"
    ) throws -> PromoApp {
        PromoApp(
            id: id, name: name ?? id, appStoreID: "1", iconURL: try url("https://a.example/icon.png"),
            category: category,
            tagline: LocalizedText(en: tagline), storeURL: try url(storeURL))
    }
}

/// A URL that a test knows to be one.
func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
}
