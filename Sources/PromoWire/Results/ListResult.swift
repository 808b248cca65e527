/// The result of `list` with language `"*"`, in which each tagline has all its translations.
package struct ListResult: Equatable, Sendable {
    /// An app in the list.
    package struct App: Equatable, Sendable {
        package var id: String
        package var name: OutsideText
        package var appStoreID: String
        package var iconURL: String
        package var category: OutsideText
        /// The translations of the category, which only a reply with all languages has.
        package var categories: [Language: OutsideText] = [:]
        /// The tagline in English and in each language that it is translated into.
        package var tagline: [Language: OutsideText]
        package var storeURL: String
        /// The absolute path of its picture; nil if there is none, or if the client did not ask for pictures.
        package var iconPath: String?

        /// Creates an app from its parts.
        package init(
            id: String, name: OutsideText, appStoreID: String, iconURL: String, category: OutsideText,
            tagline: [Language: OutsideText], storeURL: String, iconPath: String? = nil
        ) {
            self.id = id
            self.name = name
            self.appStoreID = appStoreID
            self.iconURL = iconURL
            self.category = category
            self.tagline = tagline
            self.storeURL = storeURL
            self.iconPath = iconPath
        }
    }

    package var freshness: Freshness
    /// Whether a person may usefully try again now; always false if a catalog is served.
    package var canRetry: Bool
    /// When promod itself tries next while nothing is served; nil if no attempt is planned.
    package var retryAt: Timestamp?
    /// Whether the catalog knows the given host; nil while there is no catalog.
    package var isHostKnown: Bool?
    /// The apps in the catalog's order.
    package var apps: [App]
    /// Why the list is empty; nil if it is not, if a catalog was not fetched yet, or if an earlier promod does not say.
    package var emptiness: Emptiness?

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        freshness = try Freshness(json)
        canRetry = try json.boolean("canRetry")
        retryAt = try json.optionalTime("retryAt")
        isHostKnown = try json.optionalBoolean("hostKnown")
        guard let array = json["apps"], array.kind == .array else { throw MalformedResult(member: "apps") }
        apps = []
        for element in array.elements { apps.append(try App(element)) }
        emptiness = json["emptyBecause"]?.word()
    }
}

extension ListResult.App {
    /// The category in a language, else in English.
    package func category(in language: Language) -> OutsideText {
        categories[language].flatMap { $0.isEmpty ? nil : $0 } ?? category
    }

    fileprivate init(_ json: JSONValue) throws(MalformedResult) {
        let id = try json.string("id")
        let texts = try json.object("tagline")
        var tagline = [Language.en: try texts.text("en")]
        for language in Language.allCases where language != .en {
            tagline[language] = try texts.optionalString(language.rawValue).map { OutsideText($0) }
        }
        self.init(
            id: id, name: try json.text("name"), appStoreID: try json.string("appStoreID"),
            iconURL: try json.string("iconURL"), category: try json.text("category"), tagline: tagline,
            storeURL: try json.string("storeURL"), iconPath: try json.optionalString("iconPath"))
        for language in Language.allCases where language != .en {
            categories[language] = try json["categories"]?.optionalString(language.rawValue).map { OutsideText($0) }
        }
    }
}
