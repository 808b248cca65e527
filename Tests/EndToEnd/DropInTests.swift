import Foundation
import PromoTestSupport
import Testing

/// Drop-ins that come, change and go while the daemon runs. Nobody asks for their catalogs or reloads.
struct DropInTests {
    private let user = "config/promod/catalogs.d"
    private let package = "share/promod/catalogs.d"

    /// The names and addresses of the catalogs besides the default one.
    private func catalogs(_ daemon: DaemonUnderTest) throws -> [String: String] {
        let status = try daemon.ask(#"{"method":"status"}"#)
        let catalogs = (status.result["catalogs"] as? [[String: Any]] ?? []).dropFirst()
        return Dictionary(
            uniqueKeysWithValues: catalogs.map {
                ($0["name"] as? String ?? "", $0["url"] as? String ?? "")
            })
    }

    /// Whether the daemon keeps what it has to within 2 s.
    private func comes(_ daemon: DaemonUnderTest, _ isSo: ([String: String]) -> Bool) throws -> Bool {
        let end = ContinuousClock.now + .seconds(2)
        while try !isSo(catalogs(daemon)) {
            guard ContinuousClock.now < end else { return false }
            poll(nil, 0, 5)
        }
        return true
    }

    private func comes(_ daemon: DaemonUnderTest, _ names: Set<String>) throws -> Bool {
        try comes(daemon) { Set($0.keys) == names }
    }

    private func write(_ name: String, in directory: String, _ scratch: ScratchDirectory) throws {
        try scratch.write("\(directory)/\(name).toml", "url = \"https://127.0.0.1:1/\(name).json\"\n")
    }

    @Test func oneThatComesIsReplacedIsHiddenAndGoesIsInForceWithinTwoSeconds() throws {
        let scratch = try ScratchDirectory()
        try write("first", in: package, scratch)
        let daemon = try DaemonUnderTest(in: scratch)
        try write("acme", in: package, scratch)
        #expect(try comes(daemon, ["first", "acme"]))
        // As dpkg replaces a file.
        try scratch.write("\(package)/acme.toml.dpkg-new", "url = \"https://127.0.0.1:1/new.json\"\n")
        rename(scratch("\(package)/acme.toml.dpkg-new"), scratch("\(package)/acme.toml"))
        #expect(try comes(daemon) { $0["acme"] == "https://127.0.0.1:1/new.json" })
        try FileManager.default.createDirectory(atPath: scratch(user), withIntermediateDirectories: true)
        symlink("/dev/null", scratch("\(user)/acme.toml"))
        #expect(try comes(daemon, ["first"]))
        unlink(scratch("\(user)/acme.toml"))
        #expect(try comes(daemon, ["first", "acme"]))
        unlink(scratch("\(package)/acme.toml"))
        #expect(try comes(daemon, ["first"]))
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aLinkToADirectoryThatLeadsElsewhereIsInForceWithinTwoSeconds() throws {
        let scratch = try ScratchDirectory()
        for generation in ["one", "two"] {
            let toml = "url = \"https://127.0.0.1:1/\(generation).json\"\n"
            try scratch.write("\(generation)/promod/catalogs.d/acme.toml", toml)
        }
        // As package managers and dotfile managers switch between generations.
        func point(_ link: String, to target: String) {
            symlink(target, scratch("new"))
            rename(scratch("new"), scratch(link))
        }
        point("share", to: "one")
        // No retry reads the files meanwhile.
        try scratch.write("config/promod/config.toml", "retry.base = \"24h\"\nretry.cap = \"24h\"\n")
        let daemon = try DaemonUnderTest(in: scratch)
        func becomes(_ name: String) throws -> Bool {
            try comes(daemon) { $0["acme"] == "https://127.0.0.1:1/\(name).json" }
        }
        #expect(try becomes("one"))
        point("share", to: "two")
        #expect(try becomes("two"))
        // The directory of the files itself.
        point(user, to: scratch("one/promod/catalogs.d"))
        #expect(try becomes("one"))
        try scratch.write("one/promod/catalogs.d/acme.toml", "url = \"https://127.0.0.1:1/new.json\"\n")
        #expect(try becomes("new"))
        point(user, to: scratch("two/promod/catalogs.d"))
        #expect(try becomes("two"))
    }

    @Test(arguments: ["config", "config/promod", "config/promod/catalogs.d"])
    func aDirectoryAtAnyLevelThatComesLaterIsRenamedOrMadeAgainIsWatched(_ level: String) throws {
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        // All levels of it are missing.
        try write("acme", in: user, scratch)
        #expect(try comes(daemon, ["acme"]))
        rename(scratch(level), scratch("away"))
        #expect(try comes(daemon, []))
        rename(scratch("away"), scratch(level))
        #expect(try comes(daemon, ["acme"]))
        try FileManager.default.removeItem(atPath: scratch(level))
        #expect(try comes(daemon, []))
        for names in [["acme"], ["acme", "zed"]] {
            try write(names.last ?? "", in: user, scratch)
            #expect(try comes(daemon, Set(names)))
        }
    }
}
