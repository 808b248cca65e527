package import PromoWire

/// The apps of a catalog as `list` encodes them.
///
/// All languages share the rows, which have all translations of the taglines. A catalog that translates categories has further rows for
/// each of their languages, and for a reply with all languages.
package struct CatalogRows: Sendable {
    /// The rows with the categories in English.
    let english: AppRows
    private let translated: [Language: AppRows]
    /// The rows with the categories in all languages; nil if they have only one.
    private let all: AppRows?

    /// Encodes the apps of a valid catalog.
    init(_ apps: some Collection<PromoApp>) {
        english = AppRows(apps.lazy.map { $0.listed(in: .en) })
        let languages = Set(apps.lazy.flatMap(\.category.texts.keys)).subtracting([.en])
        translated = Dictionary(
            uniqueKeysWithValues: languages.map { language in
                (language, AppRows(apps.lazy.map { $0.listed(in: language) }))
            })
        all = languages.isEmpty ? nil : AppRows(apps.lazy.map(\.listedInAllLanguages))
    }

    private init(english: AppRows, translated: [Language: AppRows], all: AppRows?) {
        (self.english, self.translated, self.all) = (english, translated, all)
    }

    /// The rows of a reply.
    package subscript(language: TaglineLanguage) -> AppRows {
        guard case .one(let language) = language else { return all ?? english }
        return translated[language] ?? english
    }

    /// The rows with the member `iconPath` added.
    /// - Parameter path: the path of an app's picture, by its position; nil if there is none.
    func addingIconPaths(_ path: (_ position: Int) -> String?) -> CatalogRows {
        CatalogRows(
            english: english.addingIconPaths(path), translated: translated.mapValues { $0.addingIconPaths(path) },
            all: all?.addingIconPaths(path))
    }
}
