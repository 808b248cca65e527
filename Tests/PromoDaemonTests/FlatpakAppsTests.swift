import Glibc
import PromoCore
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
        return DropInCatalogs(in: [.data(scratch("host"))] + apps.directories(DirectoryReader.names))
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
        #expect(found.entries.map(\.name) == ["acme", "zed", "other"])
        #expect(found.entries.map(\.settings.url?.host) == ["host.example", "user-a.example", "other.example"])
        #expect(found.ignored.map(\.problem) == [nil, nil])
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
        #expect(found.entries.map(\.name) == ["good", "inside"])
        #expect(found.ignored.map(\.error) == Array(repeating: "it is a link that leads out of the app.", count: 3))
    }

    @Test func anAppHidesNoCatalogAndChoosesNoFileOfTheHost() throws {
        try scratch.write("user/app/org.a/\(Self.place)/acme.toml", "# nothing\n")
        try scratch.write("user/app/org.b/\(Self.place)/acme.toml", url("b"))
        try scratch.write("user/app/org.b/\(Self.place)/zed.toml", url("z") + "ca-file = \"/etc/shadow\"\n")
        let found = found()
        #expect(found.entries.map(\.name) == ["acme", "zed"])
        #expect(found.ignored.map(\.error).contains("it has no keys."))
        let zed = try #require(found.entries.first { $0.name == "zed" })
        #expect(zed.problem?.contains("ca-file, which is a path of the host") == true)
    }

    @Test func anAppBringsNoDefaultCatalogAndNoCatalogOfTheHost() throws {
        try scratch.write("user/app/org.a/\(Self.place)/default.toml", url("a"))
        try scratch.write("secret.json", "{}")
        for name in ["acme", "zed"] { try scratch.write("user/app/org.a/\(Self.place)/\(name).toml", url(name)) }
        try scratch.write("user/app/org.a/\(Self.place)/zed.json", "{}")
        try scratch.link("user/app/org.a/\(Self.place)/acme.json", to: scratch("secret.json"))
        let found = found()
        #expect(found.entries.map(\.name) == ["acme", "zed"])
        #expect(found.ignored.count == 1)
        #expect(found.entries.map(\.bundled) == [nil, scratch("user/app/org.a/\(Self.place)/zed.json")])
    }

    @Test func anInstallationThatCannotBeReadKeepsItsApps() {
        let before = ["/user/app/org.a", "/system/app/org.b"].map(DropInCatalogs.Directory.app)
        let found = FlatpakApps(installations: ["/user", "/system"]).directories(
            { path, _ throws(SystemError) in
                if path == "/user/app" { throw SystemError("read", path, number: EACCES) }
                return []
            }, after: before)
        #expect(found == [before[0]])
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
