/// The parameters of `list`.
package struct ListParameters: Equatable, Sendable {
    /// The id of the app that asks; its rule applies, and it is not listed itself.
    package var host: String?
    /// The language of the taglines; nil for the daemon's own.
    package var language: TaglineLanguage?
    /// The most apps to list, 1 or more.
    package var limit: Int?
    /// Whether to wait for a first fetch that is under way.
    package var wait: Bool
    /// The ids of apps that are left out, at most 100.
    package var exclude: [String]
    /// Whether the apps whose first launch is recorded are left out.
    package var unlaunched: Bool
    /// Whether to return the paths of pictures, and to fetch missing and old ones.
    package var icons: Bool

    /// The maximum number of apps that are left out by id.
    package static let maximumExcluded = 100

    /// Creates parameters; those that are nil, empty or false are left out.
    package init(
        host: String? = nil, language: TaglineLanguage? = nil, limit: Int? = nil, wait: Bool = false,
        exclude: [String] = [], unlaunched: Bool = false, icons: Bool = false
    ) {
        (self.host, self.language, self.limit, self.wait) = (host, language, limit, wait)
        (self.exclude, self.unlaunched, self.icons) = (exclude, unlaunched, icons)
    }
}

extension ListParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter.host(&host)
        parameter.language(&language, TaglineLanguage.init)
        parameter(
            "limit", .integer(atLeast: 1), &limit, "the most apps to list")
        parameter(
            "wait", .boolean, &wait,
            "whether to wait for a first fetch that is under way, and with icons for pictures", leftOut: false)
        parameter(
            "exclude", .texts(0...Self.maximumExcluded, AppID.id(in:)), &exclude, "the ids of apps that are left out",
            leftOut: [])
        parameter(
            "unlaunched", .boolean, &unlaunched, "whether to leave out the apps whose first launch is recorded",
            leftOut: false)
        parameter(
            "icons", .boolean, &icons, "whether to add iconPath, and to have missing and old pictures fetched",
            leftOut: false)
    }
}

/// The language of the taglines in a list.
package enum TaglineLanguage: Equatable, Sendable, JSONWritable {
    /// One language. An app without a translation has its tagline in English.
    case one(Language)
    /// `"*"`: all translations, as an object.
    case all

    /// Reads a language parameter.
    package init(_ tag: OutsideText) {
        self = tag == "*" ? .all : .one(Language(tag: tag))
    }

    /// The word for the language in a reply; nil for all.
    package var lookedFor: String? {
        switch self {
        case .one(let language): language.rawValue
        case .all: nil
        }
    }

    package func write(to writer: inout JSONWriter) { writer.value(lookedFor ?? "*") }
}

extension MethodTable {
    static let list = MethodDescription(
        "list", "Lists the apps that an app may promote, in the catalog's order, and says how fresh the list is.",
        .list(ListParameters()), result: ListResult.schema, isRepeatable: true)
}
