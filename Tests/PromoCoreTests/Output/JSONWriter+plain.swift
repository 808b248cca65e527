import PromoCore
import PromoWire

extension JSONWriter {
    /// Writes an app as `list` encodes it, in the simplest way.
    mutating func plain(_ app: PromoApp, in language: TaglineLanguage, iconPath: ((String) -> String?)? = nil) {
        func texts(_ text: LocalizedText, _ languages: [Language], _ writer: inout JSONWriter) {
            for language in languages {
                if let text = text.texts[language] { writer.member(language.rawValue, text) }
            }
        }
        object { writer in
            writer.member("id", app.id)
            writer.member("name", app.name)
            writer.member("appStoreID", app.appStoreID)
            writer.member("iconURL", app.iconURL)
            switch language {
            case .one(let language):
                writer.member("category", app.category.texts[language] ?? app.category.en)
                writer.member("tagline", app.tagline.texts[language] ?? app.tagline.en)
            case .all:
                writer.member("category", app.category.en)
                if app.category.texts.count > 1 {
                    writer.object("categories") { texts(app.category, [.ko, .ja], &$0) }
                }
                writer.object("tagline") { texts(app.tagline, [.en, .ko, .ja], &$0) }
            }
            writer.member("storeURL", app.storeURL)
            if let iconPath { writer.member("iconPath", iconPath(app.iconURL)) }
        }
    }
}
