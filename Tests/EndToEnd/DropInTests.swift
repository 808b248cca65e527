import Foundation
import PromoTestSupport
import Testing

/// Drop-ins that come, change and go while the daemon runs. Nobody asks for their catalogs or reloads.
struct DropInTests {
    private let user = "config/promod/catalogs.d"
    private let package = "share/promod/catalogs.d"
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func write(_ path: String, address: String) throws {
        try scratch.write(path, "url = \"https://127.0.0.1:1/\(address).json\"\n")
    }

    /// Whether, within 2 s, the daemon keeps the catalogs of these addresses, in their order, besides the default one.
    private func keeps(_ daemon: DaemonUnderTest, _ addresses: String...) throws -> Bool {
        let end = ContinuousClock.now + .seconds(2)
        let expected = addresses.map { "https://127.0.0.1:1/\($0).json" }
        while try daemon.status().catalogs.dropFirst().map({ $0["url"] as? String }) != expected {
            guard ContinuousClock.now < end else { return false }
            poll(nil, 0, 5)
        }
        return true
    }

    /// Makes a link lead elsewhere, as package managers and dotfile managers switch between generations.
    private func point(_ link: String, to target: String) {
        symlink(target, scratch("new"))
        rename(scratch("new"), scratch(link))
    }

    @Test func oneThatComesIsReplacedIsHiddenAndGoesIsInForceWithinTwoSeconds() throws {
        try write("\(package)/first.toml", address: "first")
        let daemon = try DaemonUnderTest(in: scratch)
        try write("\(package)/acme.toml", address: "acme")
        #expect(try keeps(daemon, "acme", "first"))
        // As dpkg replaces a file.
        try write("\(package)/acme.toml.dpkg-new", address: "new")
        rename(scratch("\(package)/acme.toml.dpkg-new"), scratch("\(package)/acme.toml"))
        #expect(try keeps(daemon, "new", "first"))
        try scratch.write("\(user)/.keep", "")
        symlink("/dev/null", scratch("\(user)/acme.toml"))
        #expect(try keeps(daemon, "first"))
        unlink(scratch("\(user)/acme.toml"))
        #expect(try keeps(daemon, "new", "first"))
        unlink(scratch("\(package)/acme.toml"))
        #expect(try keeps(daemon, "first"))
    }

    @Test func aLinkToADirectoryThatLeadsElsewhereIsInForceWithinTwoSeconds() throws {
        for generation in ["one", "two"] {
            try write("\(generation)/promod/catalogs.d/acme.toml", address: generation)
        }
        point("share", to: "one")
        // No retry reads the files meanwhile.
        try scratch.write("config/promod/config.toml", "retry.base = \"24h\"\nretry.cap = \"24h\"\n")
        let daemon = try DaemonUnderTest(in: scratch)
        #expect(try keeps(daemon, "one"))
        point("share", to: "two")
        #expect(try keeps(daemon, "two"))
        // The directory of the files itself.
        point(user, to: scratch("one/promod/catalogs.d"))
        #expect(try keeps(daemon, "one"))
        try write("one/promod/catalogs.d/acme.toml", address: "new")
        #expect(try keeps(daemon, "new"))
        point(user, to: scratch("two/promod/catalogs.d"))
        #expect(try keeps(daemon, "two"))
    }

    @Test(arguments: ["config", "config/promod", "config/promod/catalogs.d"])
    func aDirectoryAtAnyLevelThatComesLaterIsRenamedOrMadeAgainIsWatched(_ level: String) throws {
        let daemon = try DaemonUnderTest(in: scratch)
        // All levels of it are missing.
        try write("\(user)/acme.toml", address: "acme")
        #expect(try keeps(daemon, "acme"))
        rename(scratch(level), scratch("away"))
        #expect(try keeps(daemon))
        rename(scratch("away"), scratch(level))
        #expect(try keeps(daemon, "acme"))
        try FileManager.default.removeItem(atPath: scratch(level))
        #expect(try keeps(daemon))
        try write("\(user)/acme.toml", address: "acme")
        #expect(try keeps(daemon, "acme"))
        try write("\(user)/zed.toml", address: "zed")
        #expect(try keeps(daemon, "acme", "zed"))
    }
}
