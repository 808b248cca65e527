@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Drop-ins that Flatpak apps bring.
struct FlatpakAppsTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private static let files = "current/active/files"
    private static let place = "\(files)/share/promod/catalogs.d"

    private func found() -> DropInCatalogs {
        let apps = FlatpakApps(installations: [scratch("user"), scratch("system"), scratch("missing")])
        return DropInCatalogs(in: [scratch("host")], apps: apps.filesWithDropIns(DirectoryReader.names))
    }

    private func url(_ name: String) -> String { "url = \"https://\(name).example/c.json\"\n" }

    @Test func theyCountAfterThoseOfTheHostAndTheUsersBeforeTheSystems() throws {
        try scratch.write("host/acme.toml", url("host"))
        try scratch.write("user/app/org.b/\(Self.place)/acme.toml", url("user-b"))
        try scratch.write("user/app/org.a/\(Self.place)/zed.toml", url("user-a"))
        try scratch.write("user/app/org.none/\(Self.files)/bin", "")
        try scratch.write("system/app/org.c/\(Self.place)/zed.toml", url("system"))
        try scratch.write("system/app/org.c/\(Self.place)/other.toml", url("other"))
        let found = found()
        #expect(found.catalogs.map(\.name) == ["acme", "zed", "other"])
        #expect(found.catalogs.map(\.configuration.url?.host) == ["host.example", "user-a.example", "other.example"])
        #expect(found.ignored.files.map(\.cause) == [.shadowed, .shadowed])
    }

    @Test func whatLeadsOutOfTheAppIsNotRead() throws {
        try scratch.write("secret/acme.toml", url("secret"))
        try scratch.write("user/app/org.a/\(Self.place)/good.toml", url("good"))
        try scratch.link("user/app/org.a/\(Self.place)/acme.toml", to: scratch("secret/acme.toml"))
        try scratch.link("user/app/org.a/\(Self.place)/inside.toml", to: "good.toml")
        try scratch.link("user/app/org.a/\(Self.place)/nothing.toml", to: "/dev/null")
        try scratch.write("user/app/org.b/\(Self.files)/share/promod/file", "")
        try scratch.link("user/app/org.b/\(Self.place)", to: scratch("secret"))
        let found = found()
        #expect(found.catalogs.map(\.name) == ["good", "inside"] && found.masked.isEmpty)
        let reasons = Set(found.ignored.files.map(\.error))
        #expect(found.ignored.files.count == 3 && reasons == ["it is a link that leads out of the app."])
    }

    @Test func anAppHidesNoCatalogAndChoosesNoFileOfTheHost() throws {
        try scratch.write("user/app/org.a/\(Self.place)/acme.toml", "# nothing\n")
        try scratch.write("user/app/org.b/\(Self.place)/acme.toml", url("b"))
        try scratch.write("user/app/org.b/\(Self.place)/zed.toml", url("z") + "ca-file = \"/etc/shadow\"\n")
        let found = found()
        #expect(found.masked.isEmpty)
        #expect(found.ignored.files.map(\.error).contains("it has no keys."))
        let zed = try #require(found.catalogs.first { $0.name == "zed" })
        #expect(zed.problem?.contains("ca-file is a path of the host") == true)
    }

    @Test func theInstallationsAreThoseOfTheEnvironment() {
        let environment = ["XDG_DATA_HOME": "/data", "FLATPAK_SYSTEM_DIR": "/flatpak"]
        let directories = Directories(environment: environment, home: "/home/ana")
        #expect(directories.flatpakInstallations == ["/data/flatpak", "/flatpak"])
        let plain = Directories(environment: [:], home: "/home/ana").flatpakInstallations
        #expect(plain == ["/home/ana/.local/share/flatpak", "/var/lib/flatpak"])
        #expect(FlatpakApps(installations: plain).marks.last == "/var/lib/flatpak/.changed")
    }
}
