import PromoWire

extension JSONWriter {
    /// Writes an app as `list` encodes it, in the simplest way.
    mutating func plain(_ app: ListResult.App, in language: TaglineLanguage) {
        object { writer in
            writer.member("id", app.id)
            writer.member("name", app.name)
            writer.member("appStoreID", app.appStoreID)
            writer.member("iconURL", app.iconURL)
            writer.member("category", app.category)
            switch language {
            case .one(let language):
                writer.member("tagline", app.tagline[language] ?? app.tagline[.en])
            case .all:
                writer.name("tagline")
                writer.object { writer in
                    for language in Language.allCases {
                        if let text = app.tagline[language] { writer.member(language.rawValue, text) }
                    }
                }
            }
            writer.member("storeURL", app.storeURL)
        }
    }
}
