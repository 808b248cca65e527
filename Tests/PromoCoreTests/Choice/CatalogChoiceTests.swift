import PromoCore
import PromoWire
import Testing

/// Which catalog a request is about, by the files, what each catalog lists, and what the request says.
struct CatalogChoiceTests {
    /// A file `NAME.toml` in the order of the directories.
    struct File {
        let name: String
        /// What comes behind `https://`; nil if the file was never valid.
        var address: String?
        var hosts: [String] = []
        var caFile: String?
        var proxy: String?
        var isBroken = false

        init(_ name: String, _ address: String?, hosts: [String] = [], caFile: String? = nil, proxy: String? = nil) {
            (self.name, self.address, self.hosts, self.caFile, self.proxy) = (name, address, hosts, caFile, proxy)
        }

        /// A file that has broken, with what it configured before.
        static func broken(_ name: String, _ address: String? = nil, hosts: [String] = []) -> File {
            var file = File(name, address, hosts: hosts)
            file.isBroken = true
            return file
        }

        var entry: CatalogEntry {
            var entry = CatalogEntry(name: name, file: "/\(name).toml")
            entry.settings.source = address.flatMap { HTTPSURL("https://\($0)") }.map(CatalogSettings.Source.address)
            entry.settings.hosts = hosts
            entry.settings.caFile = caFile
            entry.settings.proxy = proxy.flatMap(ProxySetting.init)
            if isBroken { entry.problem = "\(name).toml is broken" }
            return entry
        }
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let files: [File]
        /// The apps that the catalogs list, by their addresses or their names.
        var lists: [String: [String]] = [:]
        /// The rules of all of these, as JSON.
        var rules = "{}"
        var reference: CatalogReference?
        var host: String?
        /// The first name of the catalog; nil if there is none.
        let chosen: String?

        init(
            _ description: String, _ files: [File], lists: [String: [String]] = [:], rules: String = "{}",
            of reference: CatalogReference? = nil, for host: String? = nil, is chosen: String?
        ) {
            (testDescription, self.files, self.lists, self.rules) = (description, files, lists, rules)
            (self.reference, self.host, self.chosen) = (reference, host, chosen)
        }
    }

    private static let (own, acme) = (File("default", "own/"), File("acme", "acme/"))
    private static let packages = ["app-1", "app-2", "app-3", "app-4", "app-5"].map { File($0, "acme/") }
    private static let partner = File("partner", "partner/")

    static let cases = [
        // A name or an address.
        Case("a name", [own, acme], of: .name("acme"), is: "acme"),
        Case(
            "a name counts before the host", [own, acme], lists: ["own/": ["a"]], of: .name("acme"), for: "a",
            is: "acme"),
        Case("an unknown name", [own, acme], of: .name("zed"), is: nil),
        Case("an address", [own, acme], of: .address("https://acme/"), is: "acme"),
        Case("an address without its query", [File("acme", "acme/?v=1")], of: .address("https://acme/"), is: nil),
        Case(
            "an address with its query", [File("aaa", "acme/?q"), acme], of: .address("https://acme/"), is: "acme"),
        Case(
            "of two catalogs at an address, the one that has apps",
            [File("aaa", "acme/"), File("acme", "acme/", caFile: "/ca.pem")], lists: ["acme": ["a"]],
            of: .address("https://acme/"), is: "acme"),
        Case(
            "of two catalogs at an address, the first",
            [File("aaa", "acme/"), File("acme", "acme/", caFile: "/ca.pem")], of: .address("https://acme/"), is: "aaa"),
        Case(
            "an address with a password", [File("acme", "me:secret@acme/")], of: .address("https://acme/"),
            is: "acme"),
        // Neither.
        Case("no file", [], for: "a", is: nil),
        Case("without a host, the default one", [acme, own], is: "default"),
        Case("without a host and a default one, the first", [acme, partner], is: "acme"),
        Case("the app's own catalog alone", [acme], lists: ["acme/": ["a"]], for: "a", is: "acme"),
        Case("the app's own catalog alone, before its first fetch", [acme], for: "a", is: "acme"),
        Case(
            "the app's own catalog beside another publisher's default", [own, acme],
            lists: ["own/": ["x"], "acme/": ["a"]],
            for: "a", is: "acme"),
        Case(
            "the default one lists the app too", [own, acme], lists: ["own/": ["a"], "acme/": ["a"]], for: "a",
            is: "default"),
        Case(
            "an app that is in a rule alone", [own, acme], lists: ["acme/": ["b"]], rules: #"{"a":["b"]}"#, for: "a",
            is: "acme"),
        Case(
            "an app that nobody lists", [own, acme], lists: ["own/": ["x"], "acme/": ["y"]], for: "a", is: "default"),
        Case(
            "an app that nobody lists, and no default one", [acme, partner], lists: ["acme/": ["y"]], for: "a",
            is: "acme"),
        Case(
            "a partner's catalog lists the app, and comes first", [partner, File("zed", "zed/")],
            lists: ["partner/": ["a"], "zed/": ["a"]], for: "a", is: "partner"),
        Case(
            "a partner's catalog lists the app, and hosts decides", [partner, File("zed", "zed/", hosts: ["a"])],
            lists: ["partner/": ["a"], "zed/": ["a"]], for: "a", is: "zed"),
        Case(
            "hosts counts before the default one", [own, File("zed", "zed/", hosts: ["a"])], lists: ["own/": ["a"]],
            for: "a", is: "zed"),
        Case("hosts counts before the first fetch", [own, File("zed", "zed/", hosts: ["a"])], for: "a", is: "zed"),
        Case(
            "the first of two hosts", [File("aaa", "aaa/", hosts: ["a"]), File("zed", "zed/", hosts: ["a"])], for: "a",
            is: "aaa"),
        // Several names.
        Case("five packages of one address", packages, lists: ["acme/": ["a"]], for: "a", is: "app-1"),
        Case("five packages, by the name of the last", packages, of: .name("app-5"), is: "app-1"),
        Case(
            "five packages, each with its hosts",
            packages.map { File($0.name, $0.address, hosts: [$0.name]) } + [partner],
            for: "app-4", is: "app-1"),
        Case(
            "the default one has the address of a package", [acme, File("default", "acme/")], of: .name("acme"),
            is: "default"),
        Case("another query is another catalog", [acme, File("zed", "acme/?q")], of: .name("zed"), is: "zed"),
        Case(
            "other certificates are another catalog", [acme, File("zed", "acme/", caFile: "/ca.pem")], of: .name("zed"),
            is: "zed"),
        Case(
            "another proxy is another catalog", [acme, File("zed", "acme/", proxy: "direct")], of: .name("zed"),
            is: "zed"),
        // Broken files.
        Case("a broken file that was never valid takes nothing", [.broken("aaa"), acme], is: "acme"),
        Case(
            "a broken default one that was never valid", [.broken("default"), acme], lists: ["acme/": ["a"]],
            for: "a", is: "acme"),
        Case("a broken file is found by its name", [.broken("aaa"), acme], of: .name("aaa"), is: "aaa"),
        Case("a broken file alone", [.broken("aaa")], for: "a", is: "aaa"),
        Case("a broken file keeps its place", [.broken("aaa", "aaa/"), acme], is: "aaa"),
        Case(
            "a broken file is found by its last address", [own, .broken("aaa", "aaa/")],
            of: .address("https://aaa/"), is: "aaa"),
        Case(
            "what a broken file served is listed", [own, .broken("aaa", "aaa/")], lists: ["aaa/": ["a"]], for: "a",
            is: "aaa"),
        Case(
            "a broken file keeps its hosts, also from a catalog that lists the app",
            [own, .broken("aaa", "aaa/", hosts: ["a"]), File("bbb", "bbb/")], lists: ["bbb/": ["a"]], for: "a",
            is: "aaa"),
        Case(
            "a sound file of the address counts before a broken one", [.broken("aaa", "acme/"), acme],
            of: .name("aaa"), is: "acme"),
    ]

    @Test(arguments: cases) func theCatalogIsChosen(_ test: Case) throws {
        let roster = CatalogRoster(test.files.map(\.entry))
        var snapshot = Snapshot()
        snapshot.catalogs = try roster.catalogs.map { catalog in
            var snapshot = CatalogSnapshot(name: catalog.entry.name)
            snapshot.address = catalog.entry.settings.url?.requestText
            (snapshot.aliases, snapshot.hosts) = (catalog.aliases, catalog.hosts)
            let address = snapshot.address.map { String($0.dropFirst(8)) } ?? ""
            snapshot.served = try (test.lists[address] ?? test.lists[catalog.entry.name]).map {
                try HeldCatalog(.of($0, rules: test.rules), fetchedAt: .start)
            }
            return snapshot
        }
        let chosen = snapshot.choose(test.reference, for: test.host)
        #expect(chosen?.isUnconfigured == true ? test.chosen == nil : chosen?.name == test.chosen)
    }
}
