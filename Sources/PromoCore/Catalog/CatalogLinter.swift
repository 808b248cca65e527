import PromoWire

/// Finds probable mistakes in a catalog that break no rule.
struct CatalogLinter {
    private(set) var warnings = CatalogFindings()
    /// What is no mistake, but good to know.
    private(set) var notes = CatalogFindings()
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
        lintNames(of: root, known: MemberName.ofCatalog)
        if let apps = root.member("apps") {
            for app in apps.elements where !warnings.isFull { lintApp(app) }
        }
        if let (app, count) = onlyApple {
            let others = count > 1 ? " The same holds for \((count - 1).counting("other app"))." : ""
            notes.add(
                "\"storeURLs\" has no page for \"linux\", so a tap leads to the App Store, which installs nothing on Linux."
                    + others, at: app.member("storeURLs") ?? app.missing("storeURLs"))
        }
        if let rules = root.member("promoRules") {
            for (host, rule) in rules.members where !warnings.isFull { lintRule(rule, of: host) }
        }
    }

    private mutating func lintApp(_ app: CatalogSpot) {
        guard app.value.kind == .object else { return }
        lintNames(of: app, known: MemberName.ofApp)
        if let id = app.member("id"), id.value.outsideText?.bytes.first == UInt8(ascii: "-") {
            warnings.add("An id that begins with a hyphen is taken for an option on a command line.", at: id)
        }
        for name in ["name", "category"] { lintText(name, of: app) }
        lintAddress(app.member("iconURL"))
        for kind in PlatformLinks.Kind.allCases { lintLinks(kind, of: app) }
        for name in MemberName.byLanguage {
            guard let object = app.member(name) else { continue }
            let known = Language.allCases.map(\.rawValue)
            for language in known { lintText(language, of: object) }
            lintNames(of: object, known: known, advice: "it shows the languages \(known.joined(separator: ", ")).")
        }
    }

    /// Unknown members are allowed, but a name that is similar to a known one is probably a mistake.
    /// - Parameter advice: the end of a warning about every other name, of each once; nil if other programs may have members there.
    private mutating func lintNames(of object: CatalogSpot, known: [String], advice: String? = nil) {
        for (name, _) in object.members {
            guard let written = name.value.outsideText, !known.contains(where: { OutsideText($0) == written }) else {
                continue
            }
            let shown = "\"\(written.shown())\"\(written.oddity)"
            if let meant = MemberName.known(known, meantBy: written) {
                warnings.add("The member \(shown) is unknown here and ignored. Did you mean \"\(meant)\"?", at: name)
            } else if let advice, named.insert(written).inserted {
                warnings.add("promod does not know \(shown); \(advice)", at: name)
            }
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
        let known = PlatformLinks.platform
        lintNames(of: object, known: [known], advice: "it reads \"\(known)\".")
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

    /// A host need not be an app of the catalog, so of the valid ids only one that is similar to an app's gets a warning.
    private mutating func lintRule(_ rule: CatalogSpot, of host: CatalogSpot) {
        guard let id = host.value.outsideText else { return }
        if AppID.id(in: host.value) == nil {
            let advice = likelyID(id).map { "Did you mean \"\($0)\"?" } ?? "An id has \(AppID.form)."
            warnings.add(
                "\"\(id.shown())\"\(id.oddity.isEmpty ? "" : id.oddity + ",") cannot be the id of a host, so this rule has no effect. "
                    + advice, at: host)
        } else if rule.value.elements.contains(where: { _ in true }),
            rule.elements.allSatisfy({ $0.value.outsideText == id })
        {
            warnings.add(
                "This rule has only its own host, which is never shown in itself. An empty array says that it promotes none.",
                at: host)
        } else if !ids.contains(id), let meant = ids.nearest(to: id) {
            warnings.add(
                "No app has the id \"\(id.shown())\", so this rule is for a host outside the catalog. "
                    + "Did you mean \"\(meant)\"?", at: host)
        }
    }

    /// The id that a text was probably meant to be: an app's, else one of the text's words with hyphens between them.
    private mutating func likelyID(_ text: OutsideText) -> String? {
        let words = String(decoding: text.bytes.prefix(CatalogIDs.maximumLength), as: UTF8.self).lowercased()
            .split { !AppID.isMadeOfIDCharacters(String($0)) }
        let whole = words.joined(separator: "-")
        for guess in [whole, words.joined(), words.last.map(String.init) ?? ""] {
            if let known = ids.nearest(to: OutsideText(guess)) { return known }
        }
        return whole.isEmpty ? nil : whole
    }
}

/// The ids of a catalog's apps, broken ones included, and a search for the one that a misspelt id was meant to be.
struct CatalogIDs {
    /// The maximum length of a word that is compared with ids.
    static let maximumLength = 64

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
        let word = String(decoding: word.letters, as: UTF8.self)
        guard budget > 0, 1...Self.maximumLength ~= word.utf8.count else { return nil }
        let length = word.utf8.count
        let tolerance = MemberName.tolerance(of: length)
        let candidates = written.filter { length - tolerance...length + tolerance ~= $0.bytes.count }
        budget -= candidates.reduce(written.count) { $0 + ($1.bytes.count + 1) * length }
        guard budget > 0 else { return nil }
        return nearestWord(to: word, among: candidates.lazy.compactMap { $0.ascii(upTo: .max) }, within: tolerance)
    }
}
