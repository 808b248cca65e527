import PromoWire

/// Finds probable mistakes in a catalog that break no rule.
struct CatalogLinter {
    private(set) var warnings = CatalogFindings()
    private let root: CatalogSpot
    private var ids: CatalogIDs
    /// The names of unknown languages and platforms that have a warning; one for each is enough.
    private var named: Set<OutsideText> = []
    /// The first app without a page for Linux, and the number of all.
    private var onlyApple: (first: CatalogSpot, count: Int)?

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
        if let (app, count) = onlyApple {
            let others = count > 1 ? " The same holds for \((count - 1).counting("other app"))." : ""
            warnings.add(
                "\"storeURLs\" has no page for \"linux\", so a tap leads to the App Store, which installs nothing on Linux."
                    + others, at: app.member("storeURLs") ?? app.missing("storeURLs"))
        }
        if let rules = root.member("promoRules") {
            for (host, _) in rules.members where !warnings.isFull { lintHost(host) }
        }
    }

    private mutating func lintApp(_ app: CatalogSpot) {
        guard app.value.kind == .object else { return }
        lintNames(of: app) { MemberName.known(MemberName.ofApp, meantBy: $0) }
        for name in ["name", "category"] { lintText(name, of: app) }
        lintAddress(app.member("iconURL"))
        for kind in PlatformLinks.Kind.allCases { lintLinks(kind, of: app) }
        for name in MemberName.byLanguage {
            guard let object = app.member(name) else { continue }
            let known = Language.allCases.map(\.rawValue)
            for language in known { lintText(language, of: object) }
            lintUnknown(in: object, known: known) { name in
                "promod does not know the language \"\(name)\"; it shows \(known.joined(separator: ", "))."
            }
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

    /// Warns of names that are neither known nor similar to a known one, of each once.
    private mutating func lintUnknown(
        in object: CatalogSpot, known: [String], meantBy: (OutsideText) -> String? = { _ in nil },
        _ message: (String) -> String
    ) {
        for (name, _) in object.members {
            guard let written = name.value.outsideText, !known.contains(where: { OutsideText($0) == written }),
                meantBy(written) == nil, named.insert(written).inserted
            else { continue }
            warnings.add(message(written.shown()), at: name)
        }
    }

    private mutating func lintLinks(_ kind: PlatformLinks.Kind, of app: CatalogSpot) {
        let links = PlatformLinks(kind, of: app)
        if let problem = links.problem {
            warnings.add(problem.message, at: problem.spot)
        } else if kind == .store, links.linux == nil, app.value["appStoreID"]?.kind == .string {
            onlyApple = (onlyApple?.first ?? app, (onlyApple?.count ?? 0) + 1)
        }
        guard let object = app.member(kind.rawValue) else { return }
        lintAddress(object.member(PlatformLinks.platform))
        let (known, meant) = ([PlatformLinks.platform], { MemberName.known([PlatformLinks.platform], meantBy: $0) })
        lintNames(of: object, meant)
        lintUnknown(in: object, known: known, meantBy: meant) { name in
            "promod does not know \"\(name)\"; it reads \"\(PlatformLinks.platform)\"."
        }
    }

    private mutating func lintAddress(_ spot: CatalogSpot?) {
        guard let spot, let odd = spot.value.outsideText.flatMap({ HTTPSURL($0) })?.escaped else { return }
        warnings.add("An address cannot have \(odd.named); promod escapes it.", at: spot)
    }

    private mutating func lintText(_ name: String, of object: CatalogSpot) {
        guard let spot = object.member(name), let text = spot.value.outsideText, !text.isEmpty else { return }
        let numbers = text.controls.prefix(16).map(\.number).joined(separator: ", ")
        guard !numbers.isEmpty else { return }
        let what =
            text.isVisible
            ? "control characters, which promod removes, or replaces with a blank"
            : "no visible character, so it is empty"
        warnings.add("\"\(name)\" has \(what): \(numbers).", at: spot)
    }

    /// A host need not be an app of the catalog, so only an id that is similar to an app's gets a warning.
    private mutating func lintHost(_ host: CatalogSpot) {
        guard let id = host.value.outsideText, !ids.contains(id), let meant = ids.nearest(to: id) else { return }
        warnings.add(
            "No app has the id \"\(id.shown())\", so this rule is for a host outside the catalog. "
                + "Did you mean \"\(meant)\"?", at: host)
    }
}

/// The ids of a catalog's apps, broken ones included, and a search for the one that a misspelt id was meant to be.
struct CatalogIDs {
    /// The maximum length of a word that is compared with ids.
    private static let maximumLength = 64

    private let written: [OutsideText]
    private let known: Set<OutsideText>
    /// How many more lengths and pairs of letters may be compared; a hostile catalog may have a million ids and as many rules.
    private var budget = 1 << 22

    init(of apps: JSONValue?) {
        written = apps.map { $0.elements.compactMap { $0["id"]?.outsideText } } ?? []
        known = Set(written)
    }

    func contains(_ id: OutsideText) -> Bool {
        known.contains(id)
    }

    /// The id that a word was probably meant to be, ignoring case; nil if the word is not similar to any.
    mutating func nearest(to word: OutsideText) -> String? {
        guard budget > 0, let word = word.ascii(upTo: Self.maximumLength)?.lowercased(), !word.isEmpty else {
            return nil
        }
        let length = word.utf8.count
        let tolerance = MemberName.tolerance(of: length)
        let candidates = written.filter { length - tolerance...length + tolerance ~= $0.bytes.count }
        budget -= candidates.reduce(written.count) { $0 + ($1.bytes.count + 1) * length }
        guard budget > 0 else { return nil }
        return nearestWord(to: word, among: candidates.lazy.compactMap { $0.ascii(upTo: .max) }, within: tolerance)
    }
}
