import PromoWire

/// Finds probable mistakes in a catalog that break no rule.
struct CatalogLinter {
    private(set) var warnings = CatalogFindings()
    private let root: CatalogSpot
    private var ids: CatalogIDs

    init(_ root: JSONValue) {
        self.root = CatalogSpot(root: root)
        ids = CatalogIDs(of: root["apps"])
    }

    /// - Parameter hasMark: whether a byte order mark comes before the text.
    mutating func lint(hasMark: Bool) {
        if hasMark {
            warnings.add("A byte order mark comes first, which JSON does not allow; promod skips it.", at: root)
        }
        lintNames(of: root) { MemberName.known(MemberName.ofCatalog, meantBy: $0) }
        if let apps = root.member("apps") {
            for app in apps.elements where !warnings.isFull { lintApp(app) }
        }
        if let rules = root.member("promoRules") {
            for (host, _) in rules.members where !warnings.isFull { lintHost(host) }
        }
    }

    private mutating func lintApp(_ app: CatalogSpot) {
        lintNames(of: app) { MemberName.known(MemberName.ofApp, meantBy: $0) }
        if let id = app.member("id"), id.value.outsideText?.bytes.first == UInt8(ascii: "-") {
            warnings.add("\"id\" begins with a hyphen, so programs take it for an option.", at: id)
        }
        for name in ["name", "category"] { lintBlank(name, of: app) }
        for kind in PlatformLinks.Kind.allCases { lintLinks(kind, of: app) }
        for name in ["category", "tagline"] {
            guard let object = app.member(name) else { continue }
            lintNames(of: object, MemberName.language)
            for language in Language.allCases { lintBlank(language.rawValue, of: object) }
        }
    }

    /// Unknown members are allowed, but a name similar to a known one is probably a mistake.
    private mutating func lintNames(of object: CatalogSpot, _ known: (OutsideText) -> String?) {
        for (name, _) in object.members {
            guard let written = name.value.outsideText, let meant = known(written) else { continue }
            warnings.add(
                "The member \"\(written.shown())\" is unknown here and ignored. Did you mean \"\(meant)\"?",
                at: name)
        }
    }

    private mutating func lintLinks(_ kind: PlatformLinks.Kind, of app: CatalogSpot) {
        if let problem = PlatformLinks(kind, of: app).problem { warnings.add(problem.message, at: problem.spot) }
        guard let links = app.member(kind.rawValue) else { return }
        lintNames(of: links) { MemberName.known([PlatformLinks.platform], meantBy: $0) }
    }

    private mutating func lintBlank(_ name: String, of object: CatalogSpot) {
        guard let spot = object.member(name), let text = spot.value.outsideText, !text.isEmpty else { return }
        guard text.text.unicodeScalars.allSatisfy(\.isInvisible) else { return }
        warnings.add("\"\(name)\" is blank: people see nothing.", at: spot)
    }

    /// A host need not be an app of the catalog, so only a malformed id or one similar to an app's gets a warning.
    private mutating func lintHost(_ host: CatalogSpot) {
        guard let id = host.value.outsideText, !ids.contains(id) else { return }
        let shown = id.shown()
        let meant = ids.nearest(to: id).map { " Did you mean \"\($0)\"?" }
        if AppID.id(in: host.value) == nil {
            warnings.add(
                "No host can have the id \"\(shown)\", so this rule never applies; an id is \(AppID.form)."
                    + (meant ?? ""), at: host)
        } else if let meant {
            warnings.add(
                "No app has the id \"\(shown)\", so this rule is for a host outside the catalog.\(meant)", at: host)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
    }
}
