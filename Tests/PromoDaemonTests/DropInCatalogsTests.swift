import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Files in `promod/catalogs.d`, each of which configures a catalog.
struct DropInCatalogsTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    /// Reads the directory `config` and then others, which are of data.
    private func read(_ directories: String...) -> DropInCatalogs {
        DropInCatalogs(in: [.configuration(scratch("config"))] + directories.map { .data(scratch($0)) })
    }

    private func url(_ name: String) -> String { "url = \"https://\(name).example/c.json\"\n" }

    @Test func theDirectoriesAreInTheOrderOfDesign() {
        let environment = ["XDG_CONFIG_DIRS": "/site:/dist", "XDG_DATA_DIRS": "/local:/usr"]
        let directories = Directories(environment: environment, home: "/home/ana").dropIns
        let places = ["/home/ana/.config", "/site", "/dist", "/home/ana/.local/share", "/local", "/usr"]
        #expect(directories.map(\.path) == places.map { $0 + "/promod/catalogs.d" })
        #expect(
            directories.prefix(4) == directories.prefix(3).map { .configuration($0.path) } + [
                .data(directories[3].path)
            ])
    }

    @Test func ofTwoFilesWithTheSameNameTheOneInTheMoreImportantDirectoryCounts() throws {
        try scratch.write("config/acme.toml", url("mine"))
        try scratch.write("b/acme.toml", url("theirs"))
        try scratch.write("b/other.toml", url("other"))
        let found = read("missing", "b")
        #expect(found.entries.map(\.name) == ["acme", "other"])
        #expect(found.entries.first?.settings.url?.host == "mine.example")
        #expect(found.ignored.map(\.error) == ["\(scratch("config/acme.toml")) is used instead."])
        #expect(found.ignored.map(\.problem) == [nil])
    }

    @Test func theDefaultCatalogIsConfiguredInAConfigurationAlone() throws {
        try scratch.write("a/default.toml", url("a"))
        #expect(read("a").entries.isEmpty)
        #expect(read("a").ignored.map(\.file) == [scratch("a/default.toml")])
        try scratch.write("config/default.toml", "url = \"sample\"\n")
        #expect(read("a").entries.map(\.settings.source) == [.sample])
    }

    @Test(arguments: ["", "# nothing\n"]) func anEmptyFileHidesLaterOnes(_ text: String) throws {
        try scratch.write("config/acme.toml", text)
        try scratch.write("b/acme.toml", url("acme"))
        #expect(read("b").entries == [])
        #expect(read("b").ignored.map(\.problem) == [nil, nil])
    }

    @Test(arguments: [
        ("url = 1\n", "acme.toml:1: url takes an https address"), ("[", "acme.toml:1: a key or a table's name"),
        ("colour = 1\n", "colour is not a key of a catalog; its keys are url, ca-file, proxy, hosts"),
        ("url = \"sample\"\n", "acme.toml:1: only default.toml can have the sample"),
        ("ulr = \"https://a.example/\"\n", "did you mean url?"), ("proxy = \"direct\"\n", "catalog, is missing"),
        ("url = \"https://a.example/\"\nhosts = [\"Fine Bill\"]\n", "acme.toml:2: hosts takes a list of apps' ids"),
        ("url = \"https://a.example/\"\nproxy = \"p:1\"\n", "acme.toml:2: proxy takes the address of a proxy"),
        ("catalog.url = \"https://a.example/\"\n", "catalog.url is not a key of a catalog"),
    ])
    func aBadFileIsACatalogThatIsNotFetchedAndTakesNoOtherAway(_ text: String, _ problem: String) throws {
        try scratch.write("a/acme.toml", text)
        try scratch.write("a/good.toml", url("good"))
        let found = read("a")
        #expect(found.entries.map(\.name) == ["acme", "good"])
        #expect(found.entries.first?.problem?.contains(problem) == true, "\(found.entries.first?.problem ?? "")")
        #expect(found.entries.first?.settings == CatalogSettings())
        #expect(found.entries.last?.problem == nil)
    }

    /// The fetch fails and is tried again, because certificates may lie where something is not mounted yet.
    @Test func aMissingFileOfCertificatesDoesNotBreakTheFile() throws {
        try scratch.write("a/acme.toml", url("acme") + "ca-file = \"/nonexistent\"\n")
        let entry = try #require(read("a").entries.first)
        #expect(entry.problem == nil)
        #expect(entry.settings.caFile == "/nonexistent")
    }

    @Test func whatCannotBeReadIsSaid() throws {
        try scratch.write("a/big.toml", String(repeating: "#", count: ConfigurationFile.maximumBytes + 1))
        try scratch.link("a/dangling.toml", to: "/nonexistent")
        try scratch.write("a/folder.toml/x", "")
        let found = read("a")
        #expect(found.entries.map(\.name) == ["big", "dangling", "folder"])
        #expect(found.entries.allSatisfy { $0.problem?.contains(scratch("a/\($0.name).toml")) == true })
    }

    @Test func aFileWithAnotherNameIsIgnoredAndReported() throws {
        let long = String(repeating: "a", count: 65)
        for name in ["Acme", "a b", long] { try scratch.write("a/\(name).toml", url("acme")) }
        let name = Array(scratch("a/").utf8) + [0xE9, 0x66, 0x61] + Array(".toml\0".utf8)
        close(open(name.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o600))
        let found = read("a")
        #expect(found.entries.isEmpty)
        #expect(found.ignored.map(\.file) == ["Acme", "a b", long, "\u{FFFD}fa"].map { scratch("a/\($0).toml") })
        #expect(found.ignored.allSatisfy { $0.error.contains("is not a valid name for a catalog") })
    }

    @Test func filesThatAreNoTOMLAreNotMeant() throws {
        for name in ["README", "acme.json", "acme.toml~", ".acme.toml", "acme.toml.dpkg-new"] {
            try scratch.write("a/\(name)", "x")
        }
        #expect(read("a").entries == [])
        #expect(read("a").ignored == [])
    }

    @Test func aCopyThatASynchronisingProgramMadeIsNoProblem() throws {
        let copies = ["acme (1)", "acme copy", "acme.sync-conflict-20261130-041340-ABCDEFG"]
        for name in ["acme"] + copies { try scratch.write("a/\(name).toml", url("acme")) }
        try scratch.write("a/other (copy).toml", url("acme"))
        let found = read("a")
        #expect(found.entries.map(\.name) == ["acme"])
        #expect(found.ignored.prefix(3).map(\.file) == copies.map { scratch("a/\($0).toml") })
        #expect(found.ignored.map(\.problem) == [nil, nil, nil, .catalogFile])
        #expect(found.ignored.first?.error == "it seems to be a copy of acme.toml.")
    }

    @Test func aFileInTheDirectorysPlaceAndAHugeDirectoryAreReported() throws {
        try scratch.write("a", "")
        for number in 0...DropInCatalogs.maximumEntries { try scratch.write("b/\(number)", "") }
        try scratch.write("c/good.toml", url("good"))
        let found = read("a", "b", "c", "a/below")
        #expect(found.entries.map(\.name) == ["good"])
        #expect(found.ignored.map(\.file) == [scratch("a"), scratch("b")])
        #expect(found.ignored.first?.error == "Not a directory.")
    }

    @Test func noMoreFilesAreReadThanTheLimitAndNotAllOfTheOthersAreNamed() {
        let count = DropInCatalogs.maximumFiles + DropInCatalogs.maximumIgnored + 1
        let found = read(Dictionary(uniqueKeysWithValues: (0..<count).map { ("/a/c\($0).toml", url("c")) }))
        #expect(found.entries.count == DropInCatalogs.maximumFiles)
        #expect(found.ignored.map(\.problem) == Array(repeating: .limit, count: DropInCatalogs.maximumIgnored))
    }

    // MARK: What stays in force

    private typealias Directory = DropInCatalogs.Directory

    /// Reads these files, by their paths, after others.
    private func read(
        _ files: [String: String], in directories: [Directory] = [.configuration("/a"), .data("/b")],
        after previous: DropInCatalogs = DropInCatalogs(), refusing refused: [String: Int32] = [:]
    ) -> DropInCatalogs {
        DropInCatalogs(
            in: directories, after: previous,
            list: { path, _ throws(SystemError) in
                if let number = refused[path] { throw SystemError("read", path, number: number) }
                return files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.utf8.count + 1)) }
            },
            readFile: { path, _ throws(SystemError) in
                if let number = refused[path] { throw SystemError("read", path, number: number) }
                return files[path].map { Array($0.utf8) }
            })
    }

    @Test func aFileThatBreaksKeepsItsSettingsUntilItIsRepaired() {
        let sound = read(["/b/acme.toml": url("acme") + "hosts = [\"acme\"]\n"])
        let broken = read(["/b/acme.toml": "url"], after: read(["/b/acme.toml": "["], after: sound))
        #expect(broken.entries.first?.settings == sound.entries.first?.settings)
        #expect(broken.entries.first?.problem != nil)
        let repaired = read(["/b/acme.toml": url("new")], after: broken).entries.first
        #expect(repaired?.settings.url?.host == "new.example")
        #expect(repaired?.settings.hosts == [])
        #expect(read(["/b/acme.toml": "["]).entries.first?.settings == CatalogSettings())
    }

    @Test(arguments: [EACCES, EIO, EMFILE])
    func whatCameFromADirectoryThatCannotBeReadStaysAndOneProblemSaysSo(_ number: Int32) {
        let files = [
            "/a/mine.toml": url("mine"), "/a/hidden.toml": "", "/b/hidden.toml": url("b"), "/b/mine.toml": url("b"),
            "/b/other.toml": url("other"),
        ]
        let before = read(files)
        for after in [
            read(files, after: before, refusing: ["/a": number]),
            read([:], after: before, refusing: ["/a": number, "/b": number]),
        ] {
            #expect(after.entries == before.entries)
            #expect(after.unreadable.contains("/a"))
            let problems = after.ignored.filter { $0.problem != nil }
            #expect(Set(problems.map(\.file)) == after.unreadable)
            #expect(problems.allSatisfy { $0.problem == .directory })
            // Only what the watch does not report is tried again.
            #expect(after.isIncomplete == (number != EACCES))
            #expect(read(files, after: after) == before)
            #expect(read([:], after: after).entries == [])
        }
    }

    @Test func aLackOfDescriptorsBreaksNoFile() {
        let before = read(["/b/acme.toml": url("acme")])
        let after = read(["/b/acme.toml": ""], after: before, refusing: ["/b/acme.toml": EMFILE])
        #expect(after.entries == before.entries)
        #expect(after.isIncomplete)
    }

    // MARK: The command line

    @Test func itsAddressCountsInPlaceOfTheDefaultDropInsAndKeepsItsOtherKeys() throws {
        func entries() -> [CatalogEntry] {
            let source = HTTPSURL("https://command.example/").map(CatalogSettings.Source.address)
            return DropInCatalogs(in: [.configuration(scratch("config"))], defaultSource: source).entries
        }
        for (text, proxy) in [("", nil), (url("file") + "proxy = 'direct'\n", ProxySetting.direct), ("broken", nil)] {
            try scratch.write("config/default.toml", text)
            #expect(entries().map(\.settings.url?.host) == ["command.example"])
            #expect(entries().map(\.settings.proxy) == [proxy])
            #expect(entries().map(\.file) == [nil], "the file does not decide the address")
        }
    }
}
