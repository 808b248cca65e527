/// The parameters of a method as a value.
protocol MethodParameters: Equatable, Sendable {
    /// Visits them. Nothing changes unless they are read.
    mutating func visitParameters(_ visitor: inout MemberVisitor)
}

extension MethodParameters {
    func visited(by visitor: inout MemberVisitor) -> Self {
        var parameters = self
        parameters.visitParameters(&visitor)
        return parameters
    }
}

/// The parameters of `list`.
package struct ListParameters: MethodParameters {
    /// The app that asks; its rule applies, and it is not listed itself.
    package var host: String?
    /// The language of the taglines; nil for the daemon's own.
    package var language: TaglineLanguage?
    package var limit: Int?
    package var wait: Bool
    package var unlaunched: Bool
    package var icons: Bool

    /// Creates parameters; those that are nil, empty or false are left out.
    package init(
        host: String? = nil, language: TaglineLanguage? = nil, limit: Int? = nil, wait: Bool = false,
        unlaunched: Bool = false, icons: Bool = false
    ) {
        (self.host, self.language, self.limit, self.wait) = (host, language, limit, wait)
        (self.unlaunched, self.icons) = (unlaunched, icons)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.host(&host)
        visitor.language(&language, TaglineLanguage.init)
        visitor.integer("limit", &limit, atLeast: 1, "the most apps to list")
        visitor.flag(
            "wait", &wait[unless: false],
            "whether to wait for a fetch under way, or that the request causes, if the catalog has expired or there is none"
        )
        visitor.flag(
            "unlaunched", &unlaunched[unless: false], "whether to leave out the apps whose first launch is recorded")
        visitor.flag(
            "icons", &icons[unless: false], "whether to add iconPath, and to have pictures fetched")
    }
}

/// The language of the taglines in a list.
package enum TaglineLanguage: Hashable, Sendable, JSONWritable {
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

/// The parameters of `tap`.
package struct TapParameters: MethodParameters {
    package var app: String
    /// The app that showed it.
    package var host: String?
    /// The language of the offline message; nil for the daemon's own.
    package var language: Language?

    /// Creates parameters; those that are nil are left out.
    package init(app: String, host: String? = nil, language: Language? = nil) {
        (self.app, self.host, self.language) = (app, host, language)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.app(&app)
        visitor.host(&host)
        visitor.language(&language, Language.init(tag:))
    }
}

/// The parameters of `impression`.
package struct ImpressionParameters: MethodParameters {
    /// The maximum number of apps in one call.
    package static let maximumApps = 100

    /// The ids of the apps that were seen, 1 to 100.
    package var apps: [String]
    /// The app that showed them.
    package var host: String?

    /// Creates parameters; a nil host is left out.
    package init(apps: [String], host: String? = nil) {
        (self.apps, self.host) = (apps, host)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.ids("apps", &apps.always, upTo: Self.maximumApps)
        visitor.host(&host)
    }
}

/// The parameters of `subscribe`.
package struct SubscribeParameters: MethodParameters {
    /// nil for all.
    package var events: [EventKind]?
    package var host: String?
    /// nil to replay none.
    package var since: Int?
    package var epoch: String?

    /// Creates parameters; those that are nil are left out.
    package init(events: [EventKind]? = nil, host: String? = nil, since: Int? = nil, epoch: String? = nil) {
        (self.events, self.host, self.since, self.epoch) = (events, host, since, epoch)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.parameter("events", &events, EventKind.choices, "the kinds to send, all by default") { value in
            let kinds = value.elements.map { $0.word(EventKind.self) }
            return kinds.isEmpty || kinds.contains(nil) ? nil : kinds.compactMap(\.self)
        }
        visitor.host(&host, "the id of the only host whose impressions and taps are sent")
        visitor.integer("since", &since, atLeast: 0, "the seq after which to replay events")
        visitor.text("epoch", &epoch, "the daemon run in which since was counted") { $0.ascii(upTo: 64) ?? "" }
    }
}

extension EventKind {
    /// An array of some of the kinds.
    fileprivate static var choices: ValueSchema {
        let quoted = allCases.map { "\"\($0.rawValue)\"" }
        return .array(
            schema, [("minItems", 1)], words: "an array of some of \(quoted.joined(separator: ", "))",
            example: "[\(quoted[0])]")
    }
}

/// The parameters of `refresh`.
package struct RefreshParameters: MethodParameters {
    package var wait: Bool
    package var host: String?

    /// Creates parameters.
    package init(wait: Bool = true, host: String? = nil) {
        (self.wait, self.host) = (wait, host)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.flag("wait", &wait.always, "whether to reply only when the fetch has ended")
        visitor.host(&host)
    }
}

/// The parameters of `review-eligible` and `review-request`.
package struct ReviewParameters: MethodParameters {
    /// The id of the app that would ask, which need not be in the catalog.
    package var app: String
    package var completed: Int
    /// How many are enough; nil for the configured number.
    package var minimum: Int?
    package var page: String?
    package var appStoreID: String?
    package var needsPage: Bool

    /// Creates parameters; those that are nil are left out.
    package init(
        app: String, completed: Int, minimum: Int? = nil, page: String? = nil, appStoreID: String? = nil,
        needsPage: Bool = true
    ) {
        (self.app, self.completed, self.minimum, self.page) = (app, completed, minimum, page)
        (self.appStoreID, self.needsPage) = (appStoreID, needsPage)
    }

    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        visitor.app(&app)
        visitor.integer(
            "completed", &completed.always, atLeast: 0, "how many successes the person has completed", isRequired: true)
        visitor.integer(
            "minimum", &minimum, atLeast: 1,
            "how many are enough for this app; review.min-completions if it is left out")
        visitor.parameter(
            "page", &page,
            .pattern(
                "^[Hh][Tt][Tt][Pp][Ss]://", upTo: HTTPSURL.maximumLength, words: "an https address",
                example: "https://example.com/review"),
            "the page on which to write the review; that of the catalog if it is left out"
        ) { value in value.outsideText.flatMap { HTTPSURL($0) }?.link }
        visitor.parameter(
            "appStoreID", &appStoreID, StoreNumber.schema, "for the App Store's page, if neither has a page"
        ) { value in
            value.ascii(upTo: StoreNumber.maximumLength).flatMap { StoreNumber.isWellFormed($0) ? $0 : nil }
        }
        visitor.flag(
            "needsPage", &needsPage[unless: true],
            "whether to refuse unless the review's page is known and there is a network; true if it is left out")
    }
}

// Parameters of several methods, and of several types.
extension MemberVisitor {
    mutating func host(_ host: inout String?, _ meaning: String = "the id of the app that asks") {
        parameter("host", &host, AppID.schema, meaning, read: AppID.id(in:))
    }

    mutating func app(_ app: inout String) {
        parameter("app", &app.always, AppID.schema, "an app's id", isRequired: true, read: AppID.id(in:))
    }

    mutating func language<Value: JSONWritable>(_ language: inout Value?, _ read: (OutsideText) -> Value) {
        text("language", &language, "a BCP 47 tag such as ko-KR or a locale such as ja_JP.UTF-8", read: read)
    }

    mutating func flag(_ name: String, _ value: inout Bool?, _ meaning: String) {
        parameter(name, &value, .boolean, meaning, read: \.boolean)
    }

    mutating func integer(
        _ name: String, _ value: inout Int?, atLeast minimum: Int, _ meaning: String, isRequired: Bool = false
    ) {
        parameter(name, &value, .integer(atLeast: minimum), meaning, isRequired: isRequired) { value in
            value.integer.flatMap { $0 >= minimum ? $0 : nil }
        }
    }

    /// Any string.
    mutating func text<Value: JSONWritable>(
        _ name: String, _ value: inout Value?, _ meaning: String, isRequired: Bool = false, read: (OutsideText) -> Value
    ) {
        parameter(name, &value, .string, meaning, isRequired: isRequired) { $0.outsideText.map(read) }
    }

    /// A required array of ids.
    mutating func ids(_ name: String, _ value: inout [String]?, upTo maximum: Int) {
        let schema = {
            ValueSchema.array(
                AppID.schema, [("minItems", 1), ("maxItems", maximum)], words: "an array of 1 to \(maximum) app ids",
                example: #"["bookary"]"#)
        }
        parameter(name, &value, schema(), "the apps that were seen", isRequired: true) { value in
            guard value.kind == .array else { return nil }
            let ids = value.elements.prefix(maximum + 1).map { AppID.id(in: $0) }
            guard 1...maximum ~= ids.count, !ids.contains(nil) else { return nil }
            return ids.compactMap(\.self)
        }
    }
}
