/// The result of `list` with language `"*"`, in which each tagline has all its translations.
package struct ListResult: MethodResult, JSONObject, Equatable {
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
        /// The absolute path of its picture; nil if there is none, or if the client did not ask for pictures.
        package var iconPath: String?

        mutating func visitMembers(_ member: inout MemberVisitor) {
            member("id", &id, AppID.form)
            member("name", &name, "the app's name")
            member("appStoreID", &appStoreID, "the app's number in the App Store; null if it is not there")
            member("iconURL", &iconURL, "the https address of the app's icon")
            member("category", &category, "the label of the app's category; with \"*\", in English")
            member.texts(
                "categories", &categories, [.ko, .ja], { $0.named("Categories") },
                "with \"*\": the translations of the category, if the catalog has any")
            member.texts(
                "tagline", &tagline, Language.allCases, { .either(.string, $0.named("Taglines")) },
                "the tagline in the reply's language; with \"*\", an object of all translations")
            member("storeURL", &storeURL, "the address of the app's page in the store")
            member(
                "iconPath", &iconPath, "with icons: the absolute path of the app's picture; null if there is none",
                isRequired: false)
        }

        package init() {}

        /// Creates an app from its parts.
        package init(
            id: String, name: OutsideText, appStoreID: String?, iconURL: String, category: OutsideText,
            tagline: [Language: OutsideText], storeURL: String, iconPath: String? = nil
        ) {
            (self.id, self.name, self.appStoreID, self.iconURL) = (id, name, appStoreID, iconURL)
            (self.category, self.tagline, self.storeURL, self.iconPath) = (category, tagline, storeURL, iconPath)
        }
    }

    package var freshness = Freshness()
    /// Always false if a catalog is served.
    package var canRetry = false
    package var retryAt: Timestamp?
    /// Whether the catalog knows the given host; nil while there is no catalog.
    package var isHostKnown: Bool?
    package var apps: [App] = []
    /// nil if the list is not empty, if a catalog was not fetched yet, or if a newer promod gives a reason of its own.
    package var emptiness: Emptiness?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        freshness.visitListMembers(&member)
        member("canRetry", &canRetry, "while empty, whether a person may usefully try again now")
        member("retryAt", &retryAt, "while empty, when promod itself tries next; null if no attempt is planned")
        member(
            "hostKnown", &isHostKnown,
            "whether the catalog has the host as an app or in a rule; null while there is no catalog")
        member.derived("language", nil as Language?, "the language of the taglines; null for \"*\"")
        member("apps", &apps, "what the host may promote, in the catalog's order")
        member.ifPresent(
            "emptyBecause", &emptiness,
            "why there are none: the host's rule, the request's exclusions, all others were launched, or no catalog is configured",
            isLenient: true)
    }

    package init() {}

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        try readMembers(json)
        freshness.isUnconfigured = emptiness == .notConfigured
    }
}

extension ListResult.App {
    /// The category in a language, else in English.
    package func category(in language: Language) -> OutsideText {
        categories[language].flatMap { $0.isEmpty ? nil : $0 } ?? category
    }
}

extension MemberVisitor {
    /// A member with a text in each of some languages. If English is not among them, the member may be left out.
    fileprivate mutating func texts(
        _ name: String, _ texts: inout [Language: OutsideText], _ languages: [Language],
        _ schema: (ValueSchema) -> ValueSchema, _ meaning: String
    ) {
        let isRequired = languages.contains(.en)
        special(
            [
                .init(
                    name,
                    schema(
                        .object(
                            languages.map { .init($0.rawValue, .string, $0.name, isRequired: $0 == .en) })),
                    meaning, isRequired: isRequired)
            ],
            write: { writer in
                guard isRequired || !texts.isEmpty else { return }
                writer.object(name) { writer in
                    for language in languages {
                        if let text = texts[language] { writer.member(language.rawValue, text) }
                    }
                }
            },
            read: { json throws(MalformedResult) in
                guard let object = json[name], object.kind == .object else {
                    if isRequired { throw MalformedResult(member: name) }
                    return
                }
                for language in languages {
                    texts[language] = try object.read(language.rawValue, as: OutsideText?.self)
                }
                if isRequired { texts[.en] = try object.read("en", as: OutsideText.self) }
            })
    }
}

extension Language {
    fileprivate var name: String {
        switch self {
        case .en: "English"
        case .ko: "Korean"
        case .ja: "Japanese"
        }
    }
}
