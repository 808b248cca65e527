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

    private func read(_ directories: String...) -> DropInCatalogs {
        DropInCatalogs(in: directories.map { scratch($0) })
    }

    private func url(_ name: String) -> String { "url = \"https://\(name).example/c.json\"\n" }

    @Test func aFileConfiguresTheCatalogOfItsName() throws {
        try scratch.write("a/acme.toml", url("acme") + "max-bytes = 4096\n")
        let catalog = try #require(read("a").catalogs.first)
        #expect(catalog.name == "acme" && catalog.file == scratch("a/acme.toml") && catalog.problem == nil)
        #expect(catalog.configuration.url?.description == "https://acme.example/c.json")
        #expect(catalog.configuration.maximumBytes == 4096)
        #expect(catalog.sources["url"] == scratch("a/acme.toml") + ":1")
    }

    @Test func ofTwoFilesWithTheSameNameTheOneInTheMoreImportantDirectoryCounts() throws {
        try scratch.write("a/acme.toml", url("mine"))
        try scratch.write("b/acme.toml", url("theirs"))
        try scratch.write("b/other.toml", url("other"))
        let catalogs = read("a", "missing", "b").catalogs
        #expect(catalogs.map(\.name) == ["acme", "other"])
        #expect(catalogs.first?.configuration.url?.host == "mine.example")
    }

    @Test func whatAFileWasBeforeAChangeIsNoCatalog() throws {
        let file = try UserConfigurationFile(path: scratch("a/acme.toml"))
        for name in ["old", "new"] { try file.replace(with: url(name), isSecret: false) }
        #expect(scratch.read("a/acme.toml.previous") == url("old"))
        let found = read("a")
        #expect(found.catalogs.map(\.configuration.url?.host) == ["new.example"] && found.ignored.files.isEmpty)
        #expect(try file.undo())
        #expect(read("a").catalogs.map(\.configuration.url?.host) == ["old.example"])
    }

    @Test func aNameThatIsNotUTF8IsIgnoredWithItsReason() throws {
        try scratch.write("a/acme.toml", url("acme"))
        let name = Array(scratch("a/").utf8) + [0xE9, 0x66, 0x61] + Array(".toml\0".utf8)
        close(open(name.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o600))
        let found = read("a")
        #expect(found.catalogs.map(\.name) == ["acme"])
        #expect(found.ignored.files.map(\.file) == [scratch("a/\u{FFFD}fa.toml")])
        #expect(found.ignored.files.first?.error.contains("is not a valid name for a catalog") == true)
    }

    @Test func noCatalogSharesTheRecordsOfTheSample() throws {
        try scratch.write("a/\(SampleCatalog.identity).toml", url("acme"))
        #expect(read("a").catalogs.isEmpty && read("a").ignored.files.count == 1)
    }

    @Test func aFileInTheDirectorysPlaceIsReported() throws {
        try scratch.write("a", "")
        try scratch.write("b/acme.toml", url("acme"))
        let found = read("a", "b", "a/below")
        #expect(found.catalogs.map(\.name) == ["acme"] && found.ignored.files.map(\.file) == [scratch("a")])
        #expect(found.ignored.files.first?.error == "Not a directory.")
    }

    @Test(arguments: ["", "# nothing\n"]) func anEmptyFileMasksLaterOnes(_ text: String) throws {
        try scratch.write("a/acme.toml", text)
        try scratch.write("b/acme.toml", url("acme"))
        let found = read("a", "b")
        #expect(found.catalogs.isEmpty && found.masked == ["acme"])
        #expect(found.ignored.files.map(\.cause) == [.hidden])
    }

    @Test func aLinkToDevNullMasksLaterOnes() throws {
        try scratch.write("a/x.toml", url("x"))
        try scratch.link("a/acme.toml", to: "/dev/null")
        try scratch.write("b/acme.toml", url("acme"))
        #expect(read("a", "b").catalogs.map(\.name) == ["x"])
    }

    @Test(arguments: [
        ("url = 1\n", "acme.toml:1: url takes an https address"), ("[", "acme.toml:1: column 2"),
        ("colour = 1\n", "colour is not a key of a catalog; its keys are url, ca-file"),
        ("url = \"sample\"\n", "acme.toml:1: url cannot be the sample"),
        ("ulr = \"https://a.example/\"\n", "did you mean url?"), ("max-bytes = 4096\n", "url is missing"),
        ("proxy = \"http://p:1\"\n", "catalog.proxy in config.toml is for all catalogs"),
        ("catalog.url = \"https://a.example/\"\n", "acme.toml:1: a file of one catalog has no table"),
        ("url = \"https://a.example/\"\nca-file = \"/nonexistent\"\n", "ca-file"),
    ])
    func aBadFileIsACatalogThatIsNotFetchedAndTakesNoOtherAway(_ text: String, _ problem: String) throws {
        try scratch.write("a/acme.toml", text)
        try scratch.write("a/good.toml", url("good"))
        let found = read("a")
        #expect(found.catalogs.map(\.name) == ["acme", "good"])
        #expect(found.catalogs.first?.problem?.contains(problem) == true, "\(found.catalogs.first?.problem ?? "")")
        #expect(found.catalogs.last?.problem == nil)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        try scratch.write("a/big.toml", String(repeating: "#", count: 70_000))
        try scratch.link("a/dangling.toml", to: "/nonexistent")
        try scratch.write("a/folder.toml/x", "")
        let found = read("a")
        #expect(found.catalogs.map(\.name) == ["big", "dangling", "folder"])
        #expect(found.catalogs.allSatisfy { $0.problem?.contains(scratch("a/\($0.name).toml")) == true })
    }

    @Test func aFileWithAnotherNameIsIgnoredAndReported() throws {
        for name in ["Acme", "default", "a b", String(repeating: "a", count: 65)] {
            try scratch.write("a/\(name).toml", url("acme"))
        }
        let found = read("a")
        #expect(found.catalogs.isEmpty)
        #expect(
            found.ignored.files.map(\.file).sorted()
                == ["Acme", "a b", String(repeating: "a", count: 65), "default"].map { scratch("a/\($0).toml") })
        #expect(found.ignored.files.contains { $0.error.contains("configured in [catalog]") })
    }

    @Test func filesThatAreNoTOMLAreNotMeant() throws {
        for name in ["README", "acme.toml~", ".acme.toml", "acme.toml.dpkg-new"] { try scratch.write("a/\(name)", "x") }
        #expect(read("a") == DropInCatalogs())
    }

    @Test func aHugeDirectoryIsRefused() throws {
        for number in 0..<4097 { try scratch.write("a/\(number)", "") }
        try scratch.write("b/good.toml", url("good"))
        let found = read("a", "b")
        #expect(found.catalogs.map(\.name) == ["good"])
        #expect(found.ignored.files.map(\.file) == [scratch("a")])
    }

    @Test func ofFilesOfOneNameTheLaterOnesAreShownWithWhatKeepsThemFromUse() throws {
        try scratch.write("a/acme.toml", url("mine"))
        try scratch.write("a/gone.toml", "")
        try scratch.write("b/acme.toml", url("theirs"))
        try scratch.write("b/gone.toml", url("gone"))
        try scratch.write("b/empty.toml", "")
        let ignored = read("a", "b").ignored.files
        #expect(ignored.map(\.file) == ["acme", "gone"].map { scratch("b/\($0).toml") })
        #expect(ignored.map(\.cause) == [.shadowed, .hidden] && ignored.map(\.catalog) == ["acme", "gone"])
        #expect(ignored.map(\.address) == ["theirs", "gone"].map { "https://\($0).example/c.json" })
        #expect(
            ignored.map(\.error) == [
                "\(scratch("a/acme.toml")) counts instead.", "\(scratch("a/gone.toml")) hides it.",
            ])
    }

    @Test func aLackOfDescriptorsIsNotTakenForALackOfCatalogs() {
        let list: DropInCatalogs.ListDirectory = { path, _ throws(SystemError) in
            throw SystemError("read", path, number: EMFILE)
        }
        let found = DropInCatalogs(in: ["/a"], list: list, readFile: { _, _ in nil })
        #expect(found.isIncomplete && found.ignored.files.count == 1)
        #expect(!read("missing").isIncomplete)
    }

    @Test func theReportOfIgnoredFilesIsBounded() throws {
        for number in 0..<100 { try scratch.write("a/X\(number).toml", "") }
        #expect(read("a").ignored.files.count == 32 && read("a").ignored.more == 68)
    }
}
