import PromoWire

/// Checks a JSON value against the catalog's rules and collects every finding.
struct CatalogValidator {
    private(set) var findings = CatalogFindings()
    private let root: CatalogSpot
    /// The ids of all apps, broken ones included, so that a broken app does not make every rule that names it a finding.
    private var ids: CatalogIDs

    init(_ root: JSONValue) {
        self.root = CatalogSpot(root: root)
        ids = CatalogIDs(of: root["apps"])
    }

    /// Returns the catalog; nil if a rule is broken.
    mutating func validate() -> AppCatalog? {
        guard root.value.kind == .object else {
            findings.add("The catalog must be an object, not \(root.value.kind.phrase).", at: root)
            return nil
        }
        let apps = validateApps()
        let rules = validateRules()
        return findings.isEmpty ? AppCatalog(apps: apps, promoRules: rules) : nil
    }

    // MARK: Apps

    private mutating func validateApps() -> [PromoApp] {
        guard let array = member("apps", of: root, [.array], "an array of at least one app") else { return [] }
        var apps: [PromoApp] = []
        var pointers: [String: String] = [:]
        for spot in array.elements {
            if findings.isFull { break }
            guard let app = validateApp(spot) else { continue }
            if let first = pointers[app.id] {
                findings.add(
                    "The id \"\(OutsideText(app.id).shown())\" must be unique, and \(first) already has it.",
                    at: spot.member("id") ?? spot)
            }
            pointers[app.id] = pointers[app.id] ?? spot.pointer
            apps.append(app)
        }
        if apps.isEmpty && findings.isEmpty {
            findings.add("\"apps\" must hold at least one app.", at: array)
        }
        return apps
    }

    /// Returns the app even if it breaks rules, so that later findings can refer to its id.
    private mutating func validateApp(_ app: CatalogSpot) -> PromoApp? {
        guard app.value.kind == .object else {
            findings.add("An app must be an object, not \(app.value.kind.phrase).", at: app)
            return nil
        }
        let id = ascii("id", of: app, AppID.form, upTo: AppID.maximumLength, AppID.isWellFormed)
        let name = prose("name", of: app)
        // A malformed link is ignored, because other readers do not know this member.
        let linux = PlatformLinks(.store, of: app).linux
        let store = validateStoreNumber(of: app, isNeeded: linux == nil)
        let icon = validateIcon(of: app)
        let category = validateCategory(of: app)
        let tagline = localized("tagline", of: app, "an object such as \(Self.translations)")
        guard let id else { return nil }
        return PromoApp(
            id: id, name: name ?? "", appStoreID: store, iconURL: icon ?? "",
            category: category ?? LocalizedText(en: ""), tagline: tagline ?? LocalizedText(en: ""),
            storeURL: linux ?? StoreNumber.page(of: store ?? ""), linuxReviewURL: PlatformLinks(.review, of: app).linux)
    }

    /// The number in the App Store, which an app with a page for Linux need not have.
    private mutating func validateStoreNumber(of app: CatalogSpot, isNeeded: Bool) -> String? {
        let isAbsent = app.value["appStoreID"].map { $0.kind == .null } ?? true
        guard isNeeded || !isAbsent else { return nil }
        let form = StoreNumber.form + (isAbsent ? " unless \"storeURLs\" has a page for \"linux\"" : "")
        return ascii("appStoreID", of: app, form, upTo: StoreNumber.maximumLength, StoreNumber.isWellFormed)
    }

    private mutating func validateIcon(of app: CatalogSpot) -> String? {
        let form = "an https address with a host, such as https://example.com/icon.png"
        guard let spot = member("iconURL", of: app, [.string], form), let written = spot.value.outsideText else {
            return nil
        }
        do throws(URLProblem) { return try HTTPSURL(reading: written).link } catch {
            if OutsideText(written.bytes.prefix(10)).ascii(upTo: 10)?.lowercased() == "sf-symbol:" {
                findings.add(
                    "\"iconURL\" must be \(form). An SF Symbol is a picture only on Apple's systems: publish the icon as "
                        + "a picture on the web, and give its address.", at: spot)
            } else {
                findings.add(
                    "\"iconURL\" must be \(form), not \"\(written.shown())\", which \(error.clause).", at: spot)
            }
            return nil
        }
    }

    private static let translations = "{\"en\":\"…\",\"ko\":\"…\"}"

    /// A label for all languages, or one for each, which is an extension of promod's.
    private mutating func validateCategory(of app: CatalogSpot) -> LocalizedText? {
        let form = "a string that is not empty, or an object such as \(Self.translations)"
        if app.value["category"]?.kind == .object { return localized("category", of: app, form) }
        return prose("category", of: app, form).map { LocalizedText(en: $0) }
    }

    private mutating func localized(_ name: String, of app: CatalogSpot, _ form: String) -> LocalizedText? {
        guard let object = member(name, of: app, [.object], form) else { return nil }
        let english = prose("en", of: object)
        let korean = translation("ko", of: object)
        let japanese = translation("ja", of: object)
        return english.map { LocalizedText(en: $0, ko: korean, ja: japanese) }
    }

    private mutating func translation(_ language: String, of object: CatalogSpot) -> OutsideText? {
        guard object.value[language] != nil else { return nil }
        return member(language, of: object, [.string, .null], "a string or null, or be left out")?.value.outsideText?
            .plain
    }

    // MARK: Members

    /// A required member of one of these kinds.
    private mutating func member(
        _ name: String, of object: CatalogSpot, _ kinds: [JSONValue.Kind], _ form: String
    ) -> CatalogSpot? {
        guard let spot = object.member(name) else {
            findings.add("\"\(name)\" is missing. It must be \(form).", at: object.missing(name))
            return nil
        }
        guard kinds.contains(spot.value.kind) else {
            findings.add("\"\(name)\" must be \(form), not \(spot.value.kind.phrase).", at: spot)
            return nil
        }
        return spot
    }

    /// A required member that is a string of at most `count` ASCII characters and passes a check.
    private mutating func ascii(
        _ name: String, of object: CatalogSpot, _ form: String, upTo count: Int, _ isWellFormed: (String) -> Bool
    ) -> String? {
        text(name, of: object, form) { $0.ascii(upTo: count).map(isWellFormed) ?? false }?.ascii(upTo: count)
    }

    /// A required member that is a text for people, which clients may print.
    private mutating func prose(
        _ name: String, of object: CatalogSpot, _ form: String = "a string that is not empty"
    ) -> OutsideText? {
        text(name, of: object, form) { !$0.plain.isEmpty }?.plain
    }

    /// A required member that is a string, is not empty and passes a check.
    private mutating func text(
        _ name: String, of object: CatalogSpot, _ form: String, _ isWellFormed: (OutsideText) -> Bool
    ) -> OutsideText? {
        guard let spot = member(name, of: object, [.string], form), let string = spot.value.outsideText else {
            return nil
        }
        guard !string.isEmpty, isWellFormed(string) else {
            findings.add("\"\(name)\" must be \(form), not \"\(string.shown())\"\(string.oddity).", at: spot)
            return nil
        }
        return string
    }

    // MARK: Rules

    private mutating func validateRules() -> [String: [String]] {
        guard let value = root.value["promoRules"], value.kind != .null else { return [:] }
        let form = "an object: each host's id with an array of app ids"
        guard let object = member("promoRules", of: root, [.object], form) else { return [:] }
        var rules: [String: [String]] = [:]
        for (host, rule) in object.members {
            if findings.isFull { break }
            let ids = validateRule(rule)
            // A rule for a host whose id is not valid never applies.
            if let host = AppID.id(in: host.value) { rules[host] = ids }
        }
        return rules
    }

    private mutating func validateRule(_ rule: CatalogSpot) -> [String] {
        guard rule.value.kind == .array else {
            findings.add(
                "A rule must be an array of app ids, not \(rule.value.kind.phrase); an empty one promotes nothing.",
                at: rule)
            return []
        }
        return rule.elements.compactMap { validateElement($0)?.ascii(upTo: AppID.maximumLength) }
    }

    private mutating func validateElement(_ element: CatalogSpot) -> OutsideText? {
        guard let id = element.value.outsideText else {
            findings.add("A rule must name apps by their ids, not by \(element.value.kind.phrase).", at: element)
            return nil
        }
        if !ids.contains(id) {
            let meant = ids.nearest(to: id).map { " Did you mean \"\($0)\"?" } ?? ""
            findings.add("No app has the id \"\(id.shown())\"\(id.oddity).\(meant)", at: element)
        }
        return id
    }
}

extension JSONValue.Kind {
    /// The kind, with an article, for a sentence.
    fileprivate var phrase: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
