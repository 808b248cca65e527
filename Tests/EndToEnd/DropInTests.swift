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

    /// Whether the daemon keeps exactly these catalogs within 2 s.
    private func comes(_ daemon: DaemonUnderTest, _ names: Set<String>) throws -> Bool {
        let end = ContinuousClock.now + .seconds(2)
        var found = try catalogs(daemon)
        while Set(found.keys) != names, ContinuousClock.now < end {
            poll(nil, 0, 5)
            found = try catalogs(daemon)
        }
        #expect(Set(found.keys) == names)
        return Set(found.keys) == names
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
        #expect(try PromoTestSupport.comes { try catalogs(daemon)["acme"] == "https://127.0.0.1:1/new.json" })
        try FileManager.default.createDirectory(atPath: scratch(user), withIntermediateDirectories: true)
        symlink("/dev/null", scratch("\(user)/acme.toml"))
        #expect(try comes(daemon, ["first"]))
        unlink(scratch("\(user)/acme.toml"))
        #expect(try comes(daemon, ["first", "acme"]))
        unlink(scratch("\(package)/acme.toml"))
        #expect(try comes(daemon, ["first"]))
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aChangeOfTheFileBehindALinkIsInForceWithinTwoSeconds() throws {
        let scratch = try ScratchDirectory()
        try write("acme", in: "dotfiles", scratch)
        try FileManager.default.createDirectory(atPath: scratch(user), withIntermediateDirectories: true)
        try scratch.link("\(user)/acme.toml", to: scratch("dotfiles/acme.toml"))
        let daemon = try DaemonUnderTest(in: scratch)
        func becomes(_ name: String) throws -> Bool {
            try PromoTestSupport.comes { try catalogs(daemon)["acme"] == "https://127.0.0.1:1/\(name).json" }
        }
        #expect(try becomes("acme"))
        for name in ["once", "twice"] {
            // As some editors write a file, and as others do.
            try write("new", in: "dotfiles", scratch)
            rename(scratch("dotfiles/new.toml"), scratch("dotfiles/acme.toml"))
            #expect(try becomes("new"))
            try scratch.write("dotfiles/acme.toml", "url = \"https://127.0.0.1:1/\(name).json\"\n")
            #expect(try becomes(name))
        }
        unlink(scratch("dotfiles/acme.toml"))
        #expect(
            try PromoTestSupport.comes {
                try daemon.problems()["catalog-file"]?.contains("a file that does not exist") == true
            })
        try write("acme", in: "dotfiles", scratch)
        #expect(try becomes("acme"))
        for directory in ["away", "dotfiles"] {
            rename(scratch(directory == "away" ? "dotfiles" : "away"), scratch(directory))
            #expect(try comes(daemon, ["acme"]))
            try write("acme", in: directory, scratch)
        }
        try scratch.write("dotfiles/acme.toml", "url = \"https://127.0.0.1:1/last.json\"\n")
        #expect(try becomes("last"))
    }

    @Test func aLinkOnTheWayToADirectoryOrAFileThatLeadsElsewhereIsInForceWithinTwoSeconds() throws {
        let scratch = try ScratchDirectory()
        for generation in ["one", "two"] {
            let toml = "url = \"https://127.0.0.1:1/\(generation).json\"\n"
            try scratch.write("\(generation)/promod/catalogs.d/acme.toml", toml)
            try scratch.write("\(generation)/zed.toml", toml)
        }
        // As package managers and dotfile managers switch between generations.
        func point(_ link: String, to target: String) {
            symlink(target, scratch("new"))
            rename(scratch("new"), scratch(link))
        }
        point("current", to: "one")
        point("share", to: "current")
        try FileManager.default.createDirectory(atPath: scratch(user), withIntermediateDirectories: true)
        try scratch.link("\(user)/zed.toml", to: "../../../current/zed.toml")
        let daemon = try DaemonUnderTest(in: scratch)
        func becomes(_ name: String) throws -> Bool {
            let url = "https://127.0.0.1:1/\(name).json"
            return try PromoTestSupport.comes { try catalogs(daemon).values.allSatisfy { $0 == url } }
        }
        #expect(try catalogs(daemon).isEmpty == false && becomes("one"))
        for name in ["two", "one"] {
            point("current", to: name)
            #expect(try becomes(name))
        }
    }

    @Test func aDirectoryThatComesLaterOrComesAgainIsWatchedToo() throws {
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        for number in 1...2 {
            // All levels of it are missing.
            try write("acme", in: user, scratch)
            #expect(try comes(daemon, ["acme"]), "\(number)")
            try write("zed", in: user, scratch)
            #expect(try comes(daemon, ["acme", "zed"]), "\(number)")
            if number == 1 {
                rename(scratch("config/promod"), scratch("config/other"))
            } else {
                try FileManager.default.removeItem(atPath: scratch("config"))
            }
            #expect(try comes(daemon, []), "\(number)")
        }
        try write("acme", in: "elsewhere", scratch)
        try FileManager.default.createDirectory(atPath: scratch("config/promod"), withIntermediateDirectories: true)
        symlink(scratch("elsewhere"), scratch(user))
        #expect(try comes(daemon, ["acme"]))
        try write("zed", in: "elsewhere", scratch)
        #expect(try comes(daemon, ["acme", "zed"]))
    }
}
