/// The result of `list` with language `"*"`, in which each tagline has all its translations.
package struct ListResult: MethodResult, JSONObject, Equatable {
    /// An app in the list.
    package struct App: JSONObject, Equatable {
        package var id = ""
        package var name: OutsideText = ""
        package var appStoreID = ""
        package var iconURL = ""
        package var category: OutsideText = ""
        /// The translations of the category, which only a reply with all languages has.
        package var categories: [Language: OutsideText] = [:]
        /// The tagline in English and in each language that it is translated into.
        package var tagline: [Language: OutsideText] = [:]
        package var storeURL = ""
        /// The absolute path of its picture; nil if there is none, or if the client did not ask for pictures.
        package var iconPath: String?

        package static let members: [Member<App>] = [
            Member("id", \.id, AppID.form),
            Member("name", \.name, "the app's name"),
            Member("appStoreID", \.appStoreID, "the app's number in the App Store"),
            Member("iconURL", \.iconURL, "the https address of the app's icon"),
            Member("category", \.category, "the label of the app's category; with \"*\", in English"),
            texts(
                "categories", \.categories, [.ko, .ja], { $0.named("Categories") },
                "with \"*\": the translations of the category, if the catalog has any"),
            texts(
                "tagline", \.tagline, Language.allCases, { .either(.string, $0.named("Taglines")) },
                "the tagline in the reply's language; with \"*\", an object of all translations"),
            Member("storeURL", \.storeURL, "the address of the app's page in the store"),
            Member(
                schemas: {
                    let meaning = "with icons: the absolute path of the app's picture; null if there is none"
                    return [.init("iconPath", .nullable(.string), meaning, isRequired: false)]
                }, write: { $1.member("iconPath", $0.iconPath) },
                read: { json, app throws(MalformedResult) in app.iconPath = try json.read("iconPath") }),
        ]

        package init() {}

        /// Creates an app from its parts.
        package init(
            id: String, name: OutsideText, appStoreID: String, iconURL: String, category: OutsideText,
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
    /// The language of the taglines; nil for all.
    package var language: Language?
    package var apps: [App] = []
    /// nil if the list is not empty, if no catalog was fetched yet, or from an earlier promod.
    package var emptiness: Emptiness?

    package static let members: [Member<ListResult>] =
        (Freshness.identity + Freshness.times).of(\.freshness) + [
            Member("canRetry", \.canRetry, "while empty, whether a person may usefully try again now"),
            Member(
                "retryAt", \.retryAt, "while empty, when promod itself tries next; null if no attempt is planned"),
            Member(
                "hostKnown", \.isHostKnown,
                "whether the catalog has the host as an app or in a rule; null while there is no catalog"),
            Member("language", \.language, "the language of the taglines; null for \"*\"", isLenient: true),
            Member("apps", \.apps, "what the host may promote, in the catalog's order"),
            .ifPresent(
                "emptyBecause", \.emptiness,
                "why there are none: the host's rule, the request's exclusions, all others were launched, the person has hidden the rest, or no catalog is configured",
                isLenient: true),
        ]

    package init() {}

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        for member in Self.members { try member.read(json, &self) }
        freshness.isUnconfigured = emptiness == .notConfigured
    }
}

extension ListResult.App {
    /// The category in a language, else in English.
    package func category(in language: Language) -> OutsideText {
        categories[language].flatMap { $0.isEmpty ? nil : $0 } ?? category
    }

    /// A member with a text in each of some languages. If English is not among them, the member may be left out.
    private static func texts(
        _ name: String, _ path: Path<Self, [Language: OutsideText]>, _ languages: [Language],
        _ schema: @escaping @Sendable (ValueSchema) -> ValueSchema, _ meaning: String
    ) -> Member<Self> {
        let isRequired = languages.contains(.en)
        return Member(
            schemas: {
                let texts = languages.map { language in
                    ValueSchema.Property(language.rawValue, .string, language.name, isRequired: language == .en)
                }
                return [.init(name, schema(.object(texts)), meaning, isRequired: isRequired)]
            },
            write: { app, writer in
                guard isRequired || !app[keyPath: path].isEmpty else { return }
                writer.object(name) { writer in
                    for language in languages {
                        if let text = app[keyPath: path][language] { writer.member(language.rawValue, text) }
                    }
                }
            },
            read: { json, app throws(MalformedResult) in
                guard let texts = json[name], texts.kind == .object else {
                    if isRequired { throw MalformedResult(member: name) }
                    return
                }
                for language in languages {
                    app[keyPath: path][language] = try texts.read(language.rawValue, as: OutsideText?.self)
                }
                if isRequired { app[keyPath: path][.en] = try texts.read("en", as: OutsideText.self) }
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
