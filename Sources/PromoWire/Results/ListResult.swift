/// The result of `list` with language `"*"`, in which each tagline has all its translations.
package struct ListResult: JSONObject, Equatable {
    /// An app in the list.
    package struct App: JSONObject, Equatable {
        package var id = ""
        package var name: OutsideText = ""
        package var appStoreID: String?
        package var iconURL = ""
        package var category: OutsideText = ""
        /// The translations of the category, which only a reply with all languages has.
        package var categories: [Language: OutsideText] = [:]
        /// The tagline in English and in each language that it is translated into.
        package var tagline: [Language: OutsideText] = [:]
        package var storeURL = ""
        package var placeholder = Placeholder()
        /// nil if there is no picture, or if the client did not ask for pictures.
        package var iconPath: String?

        mutating func visitMembers(_ member: inout MemberVisitor) {
            member("id", &id, AppID.form)
            member("name", &name, "the app's name")
            member("appStoreID", &appStoreID, "the app's number in the App Store; null if it is not there")
            member("iconURL", &iconURL, "the https address of the app's icon")
            member("category", &category, "the label of the app's category; with \"*\", in English")
            member.ifPresent(
                "categories", &categories.asCategories,
                "with \"*\": the translations of the category, if the catalog has any")
            member(
                "tagline", &tagline.asTaglines,
                "the tagline in the reply's language; with \"*\", an object of all translations")
            member("storeURL", &storeURL, "the address of the app's page in the store")
            member("placeholder", &placeholder, "what to draw until the app's picture is there, and if it never comes")
            member.ifPresent(
                "iconPath", &iconPath[unless: nil],
                "with icons: the absolute path of the app's picture; null if there is none")
        }

        init() {}

        /// Creates an app from its parts.
        package init(
            id: String, name: OutsideText, appStoreID: String?, iconURL: String, category: OutsideText,
            tagline: [Language: OutsideText], storeURL: String, placeholder: Placeholder
        ) {
            (self.id, self.name, self.appStoreID, self.iconURL) = (id, name, appStoreID, iconURL)
            (self.category, self.tagline) = (category, tagline)
            (self.storeURL, self.placeholder) = (storeURL, placeholder)
        }

        /// The category in a language, else in English.
        package func category(in language: Language) -> OutsideText {
            categories[language].flatMap { $0.isEmpty ? nil : $0 } ?? category
        }
    }

    package var freshness = Freshness()
    /// Always false if a catalog is served.
    package var canRetry = false
    package var retryAt: Timestamp?
    /// nil while there is no catalog.
    package var isHostKnown: Bool?
    package var apps: [App] = []
    /// nil if the list is not empty, if a catalog was not fetched yet, or if a newer promod gives a reason of its own.
    package var emptiness: Emptiness?
    /// Why there is no catalog, or no newer one than the expired one, if that is by a failure.
    package var error: Failure?

    /// Creates the result of an empty list.
    package init() {}

    mutating func visitMembers(_ member: inout MemberVisitor) {
        freshness.visitMembers(&member)
        member("canRetry", &canRetry, "while empty, whether a person may usefully try again now")
        member("retryAt", &retryAt, "while empty, when promod itself tries next; null if no attempt is planned")
        member(
            "hostKnown", &isHostKnown,
            "whether the catalog has the host as an app or in a rule; null while there is no catalog")
        member.derived("language", nil as Growing<Language>?, "the language of the taglines; null for \"*\"")
        member("apps", &apps, "what the host may promote, in the catalog's order")
        member.ifPresent(
            "emptyBecause", &emptiness.growing,
            "why there are none: the host's rule, all others were launched, or no catalog is configured")
        member.ifPresent("error", &error, "what is wrong, if it is why there is no list, or none that is newer")
    }
}

/// Why a list has no apps.
package enum Emptiness: String, Word {
    /// The rule of the host allows none, or the catalog has no other app.
    case rule
    /// All that the rule allows were launched.
    case launched
    /// There is no catalog, because none is configured.
    case notConfigured = "not-configured"
}

/// A category's translations.
struct Categories: JSONObject {
    var texts: [Language: OutsideText] = [:]

    static var schema: ValueSchema { .map(of: .string) }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        for language in [Language.ko, .ja] { member.ifPresent(language.rawValue, &texts[language], "") }
    }
}

/// A tagline with its translations; in a reply of one language, only a string.
struct Taglines: JSONObject {
    var texts: [Language: OutsideText] = [:]

    static var schema: ValueSchema { .either(.string, .map(of: .string, requiring: ["en"])) }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("en", &texts[.en, default: ""], "")
        for language in [Language.ko, .ja] { member.ifPresent(language.rawValue, &texts[language], "") }
    }
}

extension [Language: OutsideText] {
    fileprivate var asCategories: Categories? {
        get { isEmpty ? nil : Categories(texts: self) }
        set { self = newValue?.texts ?? [:] }
    }

    fileprivate var asTaglines: Taglines {
        get { Taglines(texts: self) }
        set { self = newValue.texts }
    }
}
