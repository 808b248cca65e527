import Foundation
import PromoTestSupport
import Testing

/// An app that brings promod, on a machine where nobody has installed or configured one.
@Suite(.timeLimit(.minutes(5))) struct AppWithPromodTests {
    static let probe =
        URL(fileURLWithPath: DaemonUnderTest.binary).deletingLastPathComponent().path + "/LibraryProbe"

    private let machine: Background
    private let scratch: ScratchDirectory
    /// What the sample's rule allows the app.
    private let others = ["bookary", "finepomo"]

    init() throws {
        machine = try Background()
        scratch = machine.scratch
    }

    private var file: String { "data/promod/catalogs.d/app-finebill.toml" }

    /// Runs an app, and returns what its list has, and the error.
    private func run(
        _ program: String = probe, _ words: String...,
        setting variables: [String: String] = ["PROMOD_PROGRAM": DaemonUnderTest.binary]
    ) throws -> (app: ChildProcess, apps: [String], error: String) {
        let app = try ChildProcess(
            [program, "own"] + words, environment: machine.environment.merging(variables) { $1 })
        #expect(comes { app.standardOutput.contains("error ") }, "\(app.standardError)")
        let lines = app.standardOutput.split(separator: "\n")
        return (app, lines[0].split(separator: " ").dropFirst().map(String.init), String(lines[1].dropFirst(6)))
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch(name))[.posixPermissions] as? Int
    }

    /// The names of the files that apps have had written.
    private func dropIns() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch("data/promod/catalogs.d")).sorted()
    }

    @Test func itsListComesAndThePersonSetsUpNothing() throws {
        let origin = try NginxOrigin()
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(origin.caFile)\"\n")
        let first = try run(Self.probe, origin.url)
        #expect(Set(first.apps) == Set(others) && first.error == "", "\(first)")
        #expect(scratch.read(file) == "url = \"\(origin.url)\"\n")
        #expect(try mode(file) == 0o600)
        let pid = try machine.status().pid
        let second = try run(Self.probe, origin.url)
        #expect(second.apps == first.apps)
        #expect(try machine.status().pid == pid)
    }

    @Test func aBundledListIsThereOfflineAndANewAddressReplacesTheOld() throws {
        try scratch.write("app/list.json", SampleFile.text)
        let offline = try run(Self.probe, "https://localhost:1/a.json?b=1", scratch("app/list.json"))
        #expect(Set(offline.apps) == Set(others), "\(offline)")
        #expect(scratch.read("data/promod/catalogs.d/app-finebill.json") == SampleFile.text)
        // The older version of the app, which still runs, does not change it back.
        let moved = try run(Self.probe, "https://localhost:1/c.json", scratch("app/list.json"))
        #expect(Set(moved.apps) == Set(others), "\(moved)")
        #expect(scratch.read(file) == "url = \"https://localhost:1/c.json\"\n")
        #expect(try dropIns() == ["app-finebill.json", "app-finebill.toml"])
    }

    @Test func itsPromodIsInLibexecBesideItsExecutablesDirectory() throws {
        try scratch.install("app/bin/probe", copying: Self.probe)
        try scratch.write("app/list.json", SampleFile.text)
        let address = "https://localhost:1/a.json"
        let without = try run(scratch("app/bin/probe"), address, scratch("app/list.json"), setting: [:])
        #expect(without.apps.isEmpty && without.error.contains("promod --background"), "\(without)")
        try scratch.install("app/libexec/promod", copying: DaemonUnderTest.binary)
        let with = try run(scratch("app/bin/probe"), address, scratch("app/list.json"), setting: [:])
        #expect(Set(with.apps) == Set(others), "\(with)")
        let program = "/proc/\(try machine.status().pid)/exe"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: program) == scratch("app/libexec/promod"))
    }

    @Test(arguments: [0o775, 0o757, 0o644])
    func whatOthersCanChangeAndWhatIsNoProgramIsNotStarted(_ mode: Int) throws {
        try scratch.install("promod", copying: DaemonUnderTest.binary)
        #expect(chmod(scratch("promod"), mode_t(mode)) == 0)
        let ran = try run(Self.probe, "https://localhost:1/a.json", setting: ["PROMOD_PROGRAM": scratch("promod")])
        #expect(ran.apps.isEmpty && access(machine.socketPath, F_OK) != 0)
        // What others can change is named; what is no program cannot be started.
        let reason = "\(scratch("promod")) is not used: others may write it; chmod go-w"
        #expect(ran.error.contains(reason) == (mode != 0o644), "\(ran.error)")
    }

    @Test func noneSwitchesTheStartOff() throws {
        try scratch.install("app/bin/probe", copying: Self.probe)
        try scratch.install("app/libexec/promod", copying: DaemonUnderTest.binary)
        let ran = try run(
            scratch("app/bin/probe"), "https://localhost:1/a.json", setting: ["PROMOD_PROGRAM": "none"])
        #expect(ran.apps.isEmpty && ran.error.contains("cannot be reached"))
        #expect(access(scratch("run/promod"), F_OK) != 0)
    }

    @Test func itIsStartedForAProgramThatIgnoresTheEndOfItsChildren() throws {
        try scratch.write("app/list.json", SampleFile.text)
        try scratch.write("app/notes", "#!/bin/sh\nexec env --ignore-signal=CHLD \(Self.probe) \"$@\"\n")
        #expect(chmod(scratch("app/notes"), 0o755) == 0)
        let ran = try run(scratch("app/notes"), "https://localhost:1/a.json", scratch("app/list.json"))
        #expect(ran.apps == others && ran.app.children.isEmpty, "\(ran)")
    }

    @Test func whyItCannotServeIsTold() throws {
        try scratch.write("config/promod/config.toml", "background = false\n")
        let ran = try run(Self.probe, "https://localhost:1/a.json")
        #expect(ran.error.contains("background = false"), "\(ran)")
    }

    @Test(arguments: ["config", "data"])
    func anEmptyFileOfItsNameHidesIt(_ place: String) throws {
        let name = "\(place)/promod/catalogs.d/app-finebill.toml"
        try scratch.write(name, "")
        let ran = try run(Self.probe, "https://localhost:1/a.json")
        #expect(ran.apps.isEmpty && ran.error.hasSuffix("[notConfigured]"), "\(ran)")
        #expect(ran.app.standardError.contains("\(scratch(name)) "), "\(ran.app.standardError)")
        #expect(scratch.read(name) == "")
        #expect(place == "data" || access(scratch(file), F_OK) != 0)
    }

    @Test func aFileOfThePersonWithAnotherAddressHidesIt() throws {
        let name = "config/promod/catalogs.d/app-finebill.toml"
        try scratch.write(name, "url = \"https://localhost:1/b.json\"\n")
        let ran = try run(Self.probe, "https://localhost:1/a.json")
        #expect(ran.error.contains("\(scratch(name)) ") && ran.error.hasSuffix("[notConfigured]"), "\(ran)")
    }

    @Test func aDirectoryThatCannotBeMadeIsNoMistakeOfTheApp() throws {
        try scratch.write("data/promod", "")
        let ran = try run(Self.probe, "https://localhost:1/a.json")
        #expect(ran.error.contains("cannot be made") && ran.error.hasSuffix("[refused]"), "\(ran)")
    }

    @Test func theBundledListOfANewVersionReplacesThatOfTheOld() throws {
        try scratch.write("app/list.json", SampleFile.text)
        let address = "https://localhost:1/a.json"
        #expect(try run(Self.probe, address, scratch("app/list.json")).apps == others)
        let repaired = SampleFile.text.replacing("\"bookary\"", with: "\"bookery\"")
        try scratch.write("app/list.json", repaired)
        let ran = try run(Self.probe, address, scratch("app/list.json"))
        #expect(ran.apps == ["bookery", "finepomo"], "\(ran)")
        #expect(scratch.read("data/promod/catalogs.d/app-finebill.json") == repaired)
    }

    @Test(arguments: ["{", "[]", #"{"apps":{}}"#, nil])
    func aBundledListThatIsNoneIsToldAndDoesNotPreventTheList(_ text: String?) throws {
        let origin = try NginxOrigin()
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(origin.caFile)\"\n")
        if let text { try scratch.write("app/list.json", text) }
        let ran = try run(Self.probe, origin.url, scratch("app/list.json"))
        #expect(ran.apps == others && ran.error == "", "\(ran)")
        let told = "\(scratch("app/list.json")) is not used"
        #expect(ran.app.standardError.contains(told), "\(ran.app.standardError)")
        #expect(try dropIns() == ["app-finebill.toml"])
    }

    // MARK: Other languages

    @Test func anyProgramNamesItsCatalogWithTheStart() throws {
        try scratch.write("app/list.json", SampleFile.text)
        let options = [
            "--app=finebill", "--catalog-url=https://localhost:1/a.json", "--bundled=\(scratch("app/list.json"))",
        ]
        #expect(try machine.child(options).wait() == .exited(0))
        let list = #"{"method":"list","params":{"host":"finebill"}}"#
        #expect(try Set(machine.ask(list).apps) == Set(others))
        // One that runs takes it at once.
        let moved = options.map { $0.replacing("a.json", with: "b.json") }
        #expect(try machine.child(moved).wait() == .exited(0))
        let address = #"{"method":"list","params":{"catalog":"https://localhost:1/b.json"}}"#
        #expect(try machine.ask(address).reason == nil)
        #expect(scratch.read(file) == "url = \"https://localhost:1/b.json\"\n")
    }

    /// Another instance of the app has just written it.
    @Test(arguments: [false, true]) func aFileThatPromodHasYetToReadIsRead(isOfLibrary: Bool) throws {
        // What lies behind two links is not watched.
        try scratch.write("behind/.keep", "")
        try scratch.write("data/promod/.keep", "")
        try scratch.link("link", to: scratch("behind"))
        try scratch.link("data/promod/catalogs.d", to: scratch("link"))
        #expect(try machine.start().code == .exited(0))
        let address = "https://localhost:1/a.json"
        try scratch.write("behind/app-finebill.toml", "url = \"\(address)\"\n")
        try scratch.write("behind/app-finebill.json", SampleFile.text)
        let list = #"{"method":"list","params":{"host":"finebill","catalog":"\#(address)"}}"#
        #expect(try machine.ask(list).reason == "unknown-catalog")
        if isOfLibrary {
            let ran = try run(Self.probe, address)
            #expect(ran.apps == others, "\(ran)")
        } else {
            #expect(try machine.child(["--app=finebill", "--catalog-url=\(address)"]).wait() == .exited(0))
            #expect(try machine.ask(list).apps == others)
        }
    }

    @Test func ofFortyAppsEachGetsItsListAndThirtyTwoAreKeptFresh() throws {
        let origin = try NginxOrigin()
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(origin.caFile)\"\n")
        let apps = (10..<50).map { "app\($0)" }
        for app in apps {
            #expect(try machine.start("--app=\(app)", "--catalog-url=\(origin.url)?\(app)").code == .exited(0))
            let list = #"{"method":"list","params":{"wait":true,"catalog":"\#(origin.url)?\#(app)"}}"#
            #expect(try machine.ask(list).state == "fresh", "\(app)")
        }
        let status = try machine.status().result
        let catalogs = try #require(status["catalogs"] as? [[String: Any]])
        #expect(catalogs.count == apps.count && (status["problems"] as? [Any])?.isEmpty == true)
        #expect(catalogs.count { $0["nextReason"] as? String == "resting" } == 8)
        #expect(catalogs.allSatisfy { $0["state"] as? String == "fresh" } && origin.log.count == apps.count)
        #expect(try dropIns() == apps.map { "app-\($0).toml" })
    }

    @Test func aFileWithTheAddressMakesAnotherOneNeedless() throws {
        try scratch.write("config/promod/catalogs.d/acme.toml", "url = \"https://localhost:1/a.json\"\n")
        #expect(
            try machine.child(["--app=finebill", "--catalog-url=https://localhost:1/a.json"]).wait() == .exited(0))
        #expect(access(scratch(file), F_OK) != 0)
    }

    @Test func noLinkIsFollowedAndALongIdHasAShortName() throws {
        try scratch.write("precious", "url = \"https://localhost:1/x\"\n")
        try scratch.write("data/promod/catalogs.d/.keep", "")
        try scratch.link(file, to: scratch("precious"))
        let address = "--catalog-url=https://localhost:1/a.json"
        #expect(try machine.child(["--app=finebill", address]).wait() == .exited(0))
        #expect(scratch.read("precious") == "url = \"https://localhost:1/x\"\n")
        let long = String(repeating: "a", count: 200)
        #expect(try machine.child(["--app=\(long)", "--catalog-url=https://localhost:1/b.json"]).wait() == .exited(0))
        let ofLong = try #require(
            try dropIns().first { $0.hasPrefix("app-") && $0.hasSuffix(".toml") && $0 != "app-finebill.toml" })
        #expect(ofLong.utf8.count <= 69)
    }

    @Test func whoHasSwitchedPromodOffKeepsNothing() throws {
        try scratch.write("config/promod/config.toml", "background = false\n")
        let child = try machine.child(["--app=finebill", "--catalog-url=https://localhost:1/a.json"])
        #expect(child.wait() == .exited(77))
        #expect(access(scratch(file), F_OK) != 0)
    }

    @Test(arguments: [
        ["--app=Fine Bill", "--catalog-url=https://localhost:1/a.json"],
        ["--app=../x", "--catalog-url=https://localhost:1/"],
        ["--app=finebill", "--catalog-url=http://localhost:1/a.json"], ["--app=finebill", "--catalog-url=sample"],
        ["--app=finebill"], ["--catalog-url=https://localhost:1/a.json"], ["--bundled=x"],
        ["--app=finebill", "--catalog-url=https://localhost:1/a.json", "--log-level=debug"],
        ["validate", "list.json"],
        ["--app=finebill", "--catalog-url=https://localhost:1/a.json", "validate", "list.json"],
    ])
    func badNamesAndAddressesAreRefusedBeforeAnythingIsWritten(_ options: [String]) throws {
        let child = try machine.child(options)
        #expect(child.wait() == .exited(64))
        // What is missing, or does not go with it, is named.
        let named = options == ["--app=finebill"] ? "--catalog-url" : options.contains("validate") ? "validate" : "--"
        #expect(child.standardError.contains(named), "\(child.standardError)")
        #expect(access(scratch("data"), F_OK) != 0 && access(machine.socketPath, F_OK) != 0)
    }

    @Test(arguments: [("{", 65, "list.json:1:2: error: "), (nil, 66, "there is no file")])
    func aBadBundledListIsRefusedBeforeAnythingIsWritten(_ text: String?, _ code: Int32, _ message: String) throws {
        if let text { try scratch.write("app/list.json", text) }
        let child = try machine.child([
            "--app=finebill", "--catalog-url=https://localhost:1/a.json", "--bundled=\(scratch("app/list.json"))",
        ])
        #expect(child.wait() == .exited(code))
        #expect(child.standardError.contains(message), "\(child.standardError)")
        #expect(access(scratch("data"), F_OK) != 0 && access(machine.socketPath, F_OK) != 0)
    }
}
