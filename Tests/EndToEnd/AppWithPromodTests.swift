import Foundation
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// An app that brings promod, on a machine where nobody has installed or configured one.
@Suite(.timeLimit(.minutes(5))) struct AppWithPromodTests {
    static let probe = DaemonUnderTest.program("LibraryProbe")

    private let machine: Background
    private let scratch: ScratchDirectory
    /// An address at which nobody listens.
    private let address = "https://localhost:1/a.json"
    private let directory = "data/promod/catalogs.d"
    private var file: String { "\(directory)/app-finebill.toml" }
    /// The place of the list that the app bundles.
    private var bundled: String { scratch("app/list.json") }
    /// What the sample's rule allows the app.
    private let others = ["bookary", "finepomo"]

    init() throws {
        machine = try Background()
        scratch = machine.scratch
    }

    /// Runs an app, and returns what its list has, and the error.
    private func run(
        _ words: String..., program: String = probe,
        setting variables: [String: String] = ["PROMOD_PROGRAM": DaemonUnderTest.binary]
    ) throws -> (app: ChildProcess, apps: [String], error: String) {
        let app = try ChildProcess(
            [program, "own"] + words, environment: machine.environment.merging(variables) { $1 })
        #expect(comes { app.standardOutput.contains("error ") }, "\(app.standardError)")
        let lines = app.standardOutput.split(separator: "\n")
        return (app, lines[0].split(separator: " ").dropFirst().map(String.init), String(lines[1].dropFirst(6)))
    }

    /// An origin that this machine trusts.
    private func trustedOrigin() throws -> NginxOrigin {
        let origin = try NginxOrigin()
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(origin.caFile)\"\n")
        return origin
    }

    private func expectNothingWritten(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(access(scratch("data"), F_OK) != 0, sourceLocation: sourceLocation)
        #expect(access(machine.socketPath, F_OK) != 0, sourceLocation: sourceLocation)
    }

    @Test func itsListComesAndThePersonSetsUpNothing() throws {
        let origin = try trustedOrigin()
        let first = try run(origin.url)
        #expect((first.apps, first.error) == (others, ""))
        #expect(scratch.read(file) == "url = \"\(origin.url)\"\n")
        #expect(try scratch.mode(file) == 0o600)
        let pid = try machine.status().pid
        #expect(try run(origin.url).apps == others)
        #expect(try machine.status().pid == pid)
    }

    @Test func aBundledListIsThereOfflineAndANewAddressReplacesTheOld() throws {
        try scratch.write("app/list.json", SampleFile.text)
        #expect(try run(address + "?b=1", bundled).apps == others)
        #expect(scratch.read("\(directory)/app-finebill.json") == SampleFile.text)
        // The older version of the app, which still runs, does not change it back.
        let moved = "https://localhost:1/c.json"
        #expect(try run(moved, bundled).apps == others)
        #expect(scratch.read(file) == "url = \"\(moved)\"\n")
        #expect(try scratch.names(in: directory) == ["app-finebill.json", "app-finebill.toml"])
    }

    @Test func itsPromodIsInLibexecBesideItsExecutablesDirectory() throws {
        try scratch.install("app/bin/probe", copying: Self.probe)
        try scratch.write("app/list.json", SampleFile.text)
        let without = try run(address, bundled, program: scratch("app/bin/probe"), setting: [:])
        #expect(without.apps == [])
        #expect(without.error.contains("promod --background"))
        try scratch.install("app/libexec/promod", copying: DaemonUnderTest.binary)
        #expect(try run(address, bundled, program: scratch("app/bin/probe"), setting: [:]).apps == others)
        let program = "/proc/\(try machine.status().pid)/exe"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: program) == scratch("app/libexec/promod"))
    }

    @Test(arguments: [0o775, 0o757, 0o644])
    func whatOthersCanChangeAndWhatIsNoProgramIsNotStarted(_ mode: Int) throws {
        try scratch.install("promod", copying: DaemonUnderTest.binary)
        #expect(chmod(scratch("promod"), mode_t(mode)) == 0)
        let ran = try run(address, setting: ["PROMOD_PROGRAM": scratch("promod")])
        #expect(ran.apps == [])
        #expect(access(machine.socketPath, F_OK) != 0)
        // What others can change is named; what is no program cannot be started.
        let reason = "\(scratch("promod")) is not used: others may write it; chmod go-w"
        #expect(ran.error.contains(reason) == (mode != 0o644), "\(ran.error)")
    }

    @Test func noneSwitchesTheStartOff() throws {
        try scratch.install("app/bin/probe", copying: Self.probe)
        try scratch.install("app/libexec/promod", copying: DaemonUnderTest.binary)
        let ran = try run(address, program: scratch("app/bin/probe"), setting: ["PROMOD_PROGRAM": "none"])
        #expect(ran.apps == [])
        #expect(ran.error.contains("cannot be reached"))
        #expect(access(scratch("run/promod"), F_OK) != 0)
    }

    @Test func itIsStartedForAProgramThatIgnoresTheEndOfItsChildren() throws {
        try scratch.write("app/list.json", SampleFile.text)
        try scratch.write("app/notes", "#!/bin/sh\nexec env --ignore-signal=CHLD \(Self.probe) \"$@\"\n")
        #expect(chmod(scratch("app/notes"), 0o755) == 0)
        let ran = try run(address, bundled, program: scratch("app/notes"))
        #expect(ran.apps == others)
        #expect(ran.app.children == [])
    }

    @Test func whyItCannotServeIsTold() throws {
        try scratch.write("config/promod/config.toml", "background = false\n")
        #expect(try run(address).error.contains("background = false"))
    }

    @Test(arguments: ["config", "data"])
    func anEmptyFileOfItsNameHidesIt(_ place: String) throws {
        let name = "\(place)/promod/catalogs.d/app-finebill.toml"
        try scratch.write(name, "")
        let ran = try run(address)
        #expect(ran.apps == [])
        #expect(ran.error.hasSuffix("[notConfigured]"))
        #expect(ran.app.standardError.contains("\(scratch(name)) "))
        #expect(scratch.read(name) == "")
        if place == "config" { #expect(access(scratch(file), F_OK) != 0) }
    }

    @Test func aFileOfThePersonWithAnotherAddressHidesIt() throws {
        let name = "config/promod/catalogs.d/app-finebill.toml"
        try scratch.write(name, "url = \"https://localhost:1/b.json\"\n")
        let error = try run(address).error
        #expect(error.contains("\(scratch(name)) "))
        #expect(error.hasSuffix("[notConfigured]"))
    }

    @Test func aDirectoryThatCannotBeMadeIsNoMistakeOfTheApp() throws {
        try scratch.write("data/promod", "")
        let error = try run(address).error
        #expect(error.contains("cannot be made"))
        #expect(error.hasSuffix("[refused]"))
    }

    @Test func theBundledListOfANewVersionReplacesThatOfTheOld() throws {
        try scratch.write("app/list.json", SampleFile.text)
        #expect(try run(address, bundled).apps == others)
        let repaired = SampleFile.text.replacing("\"bookary\"", with: "\"bookery\"")
        try scratch.write("app/list.json", repaired)
        #expect(try run(address, bundled).apps == ["bookery", "finepomo"])
        #expect(scratch.read("\(directory)/app-finebill.json") == repaired)
    }

    @Test(arguments: ["{", "[]", #"{"apps":{}}"#, nil])
    func aBundledListThatIsNoneIsToldAndDoesNotPreventTheList(_ text: String?) throws {
        let origin = try trustedOrigin()
        if let text { try scratch.write("app/list.json", text) }
        let ran = try run(origin.url, bundled)
        #expect((ran.apps, ran.error) == (others, ""))
        #expect(ran.app.standardError.contains("\(bundled) is not used"))
        #expect(try scratch.names(in: directory) == ["app-finebill.toml"])
    }

    // MARK: Other languages

    /// Runs promod as a program in any language does, and returns its end and what it says.
    private func start(
        app: String = "finebill", _ address: String? = nil, _ more: String...
    ) throws -> (end: ChildProcess.End, error: String) {
        let child = try machine.child(["--app=\(app)", "--catalog-url=\(address ?? self.address)"] + more)
        return (child.wait(), child.standardError)
    }

    @Test func anyProgramNamesItsCatalogWithTheStart() throws {
        try scratch.write("app/list.json", SampleFile.text)
        #expect(try start(address, "--bundled=\(bundled)").end == .exited(0))
        #expect(try machine.ask(#"{"method":"list","params":{"host":"finebill"}}"#).apps == others)
        // One that runs takes it at once.
        let moved = "https://localhost:1/b.json"
        #expect(try start(moved, "--bundled=\(bundled)").end == .exited(0))
        #expect(try machine.ask(#"{"method":"list","params":{"catalog":"\#(moved)"}}"#).reason == nil)
        #expect(scratch.read(file) == "url = \"\(moved)\"\n")
    }

    /// Another instance of the app has just written it.
    @Test(arguments: [false, true]) func aFileThatPromodHasYetToReadIsRead(isOfLibrary: Bool) throws {
        // What lies behind two links is not watched.
        try scratch.write("behind/.keep", "")
        try scratch.write("data/promod/.keep", "")
        try scratch.link("link", to: scratch("behind"))
        try scratch.link(directory, to: scratch("link"))
        #expect(try machine.start().code == .exited(0))
        try scratch.write("behind/app-finebill.toml", "url = \"\(address)\"\n")
        try scratch.write("behind/app-finebill.json", SampleFile.text)
        let list = #"{"method":"list","params":{"host":"finebill","catalog":"\#(address)"}}"#
        #expect(try machine.ask(list).reason == "unknown-catalog")
        if isOfLibrary {
            #expect(try run(address).apps == others)
        } else {
            #expect(try start().end == .exited(0))
            #expect(try machine.ask(list).apps == others)
        }
    }

    @Test func ofFortyAppsEachGetsItsListAndThirtyTwoAreKeptFresh() throws {
        let origin = try trustedOrigin()
        let apps = (10..<50).map { "app\($0)" }
        for app in apps {
            #expect(try start(app: app, "\(origin.url)?\(app)").end == .exited(0))
            let list = #"{"method":"list","params":{"wait":true,"catalog":"\#(origin.url)?\#(app)"}}"#
            #expect(try machine.ask(list).state == "fresh", "\(app)")
        }
        let status = try machine.ask(#"{"method":"status"}"#)
        #expect(status.problems.isEmpty)
        #expect(status.catalogs.map { $0["state"] as? String } == apps.map { _ in "fresh" })
        let resting = status.catalogs.count { $0["nextReason"] as? String == "resting" }
        #expect(resting == apps.count - CatalogRoster.maximumCount)
        #expect(origin.log.count == apps.count)
        #expect(try scratch.names(in: directory) == apps.map { "app-\($0).toml" })
    }

    @Test func aFileWithTheAddressMakesAnotherOneNeedless() throws {
        try scratch.write("config/promod/catalogs.d/acme.toml", "url = \"\(address)\"\n")
        #expect(try start().end == .exited(0))
        #expect(access(scratch(file), F_OK) != 0)
    }

    @Test func noLinkIsFollowedAndALongIdHasAShortName() throws {
        try scratch.write("precious", "url = \"https://localhost:1/x\"\n")
        try scratch.write("\(directory)/.keep", "")
        try scratch.link(file, to: scratch("precious"))
        #expect(try start().end == .exited(0))
        #expect(scratch.read("precious") == "url = \"https://localhost:1/x\"\n")
        let long = String(repeating: "a", count: AppID.maximumLength)
        #expect(try start(app: long, "https://localhost:1/b.json").end == .exited(0))
        let names = try scratch.names(in: directory).filter { $0 != ".keep" && $0 != "app-finebill.toml" }
        #expect(names.map { $0.utf8.count <= CatalogReference.maximumLength + ".toml".count } == [true], "\(names)")
    }

    @Test func whoHasSwitchedPromodOffKeepsNothing() throws {
        try scratch.write("config/promod/config.toml", "background = false\n")
        #expect(try start().end == .exited(77))
        #expect(access(scratch(file), F_OK) != 0)
    }

    @Test(
        arguments: [
            (["--app=Fine Bill", "--catalog-url=https://localhost:1/a.json"], "--app"),
            (["--app=../x", "--catalog-url=https://localhost:1/"], "--app"),
            (["--app=finebill", "--catalog-url=http://localhost:1/a.json"], "--catalog-url"),
            (["--app=finebill", "--catalog-url=sample"], "--catalog-url"), (["--app=finebill"], "--catalog-url"),
            (["--catalog-url=https://localhost:1/a.json"], "--app"), (["--bundled=x"], "--app"),
            (["--app=finebill", "--catalog-url=https://localhost:1/a.json", "--log-level=debug"], "--log-level"),
            (["validate", "list.json"], "validate"),
            (["--app=finebill", "--catalog-url=https://localhost:1/a.json", "validate", "list.json"], "validate"),
        ] as [([String], String)])
    func badNamesAndAddressesAreRefusedBeforeAnythingIsWritten(_ options: [String], named: String) throws {
        let child = try machine.child(options)
        #expect(child.wait() == .exited(64))
        #expect(child.standardError.contains(named))
        expectNothingWritten()
    }

    @Test(arguments: [("{", 65, "list.json:1:2: error: "), (nil, 66, "there is no file")])
    func aBadBundledListIsRefusedBeforeAnythingIsWritten(_ text: String?, _ code: Int32, _ message: String) throws {
        if let text { try scratch.write("app/list.json", text) }
        let ran = try start(address, "--bundled=\(bundled)")
        #expect(ran.end == .exited(code))
        #expect(ran.error.contains(message))
        expectNothingWritten()
    }
}
