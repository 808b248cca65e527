import Foundation
import PromoTestSupport
import Testing

/// `promod --catalog-file`, with which a developer sees a list and a review prompt without a web server.
struct CatalogFileTests {
    private let scratch: ScratchDirectory
    private var file: String { scratch("catalog.json") }

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("catalog.json", SampleFile.text)
    }

    /// A promod that serves the file.
    private final class Daemon: Sendable {
        let process: ChildProcess
        let socket: String

        init(_ file: String, in scratch: ScratchDirectory, _ options: [String: String] = [:]) throws {
            let environment = DaemonUnderTest.environment(in: scratch).merging(options) { $1 }
            let process = try ChildProcess(
                [DaemonUnderTest.binary, "--catalog-file", file], environment: environment)
            self.process = process
            guard comes({ process.standardOutput.hasSuffix("\n") || process.wait(milliseconds: 0) != nil }),
                let range = process.standardOutput.firstRange(of: "export PROMOD_SOCKET=")
            else { throw TestFailure("no socket is printed: \(process.standardError)") }
            socket = String(process.standardOutput[range.upperBound...].dropLast())
        }

        /// Nothing of it stays in /tmp.
        deinit {
            process.signal(SIGTERM)
            process.wait()
        }

        func ask(_ line: String) throws -> Reply {
            try Reply(to: line, at: socket)
        }
    }

    private static let list = #"{"method":"list"}"#

    private func start(_ options: [String: String] = [:]) throws -> Daemon { try Daemon(file, in: scratch, options) }

    @Test func itsAppsAreListedAndTappedUnderEveryNameAndAddress() throws {
        try scratch.write("catalog.json", SampleFile.text.replacingOccurrences(of: "\"bookary\"", with: "\"my-books\""))
        let daemon = try start()
        for catalog in ["", #","catalog":"acme""#, #","catalog":"https://acme.example/apps.json?x=1""#] {
            let list = try daemon.ask(#"{"method":"list"\#(catalog)}"#)
            #expect(list.apps == ["finebill", "my-books", "finepomo", "stedio", "littory"])
            #expect(list.source == "file")
            let tap = try daemon.ask(#"{"method":"tap","app":"my-books"\#(catalog)}"#)
            #expect(tap.result["storeURL"] as? String == "https://example.com/?app=bookary")
        }
        #expect(try daemon.ask(#"{"method":"status"}"#).catalogs.map { $0["file"] as? String } == [file])
    }

    @Test(arguments: ["icons/one.png", "one.png"]) func itsIconsAreTheFilesBesideIt(place: String) throws {
        let text = SampleFile.text.replacingOccurrences(
            of: "https://example.com/?icon=finebill", with: "https://example.com/icons/one.png?v=1")
        try scratch.write("catalog.json", text)
        let icons = repository.appending(path: "Sources/PromoCore/Catalog/SampleIcons")
        let picture = try Data(contentsOf: icons.appending(path: "finebill.png"))
        try FileManager.default.createDirectory(atPath: scratch("icons"), withIntermediateDirectories: true)
        try picture.write(to: URL(filePath: scratch(place)))
        let daemon = try start()
        func icon(_ app: String) throws -> String? {
            try daemon.ask(#"{"method":"icon","app":"\#(app)","wait":true}"#).result["data"] as? String
        }
        #expect(try icon("finebill") == picture.base64EncodedString())
        #expect(try icon("bookary") == nil)
    }

    @Test func itEndsWithTheReaderOfItsOutputAndLeavesNothing() throws {
        let command = "'\(DaemonUnderTest.binary)' --catalog-file '\(file)' | head -n 1"
        let ran = try Ran(["sh", "-c", command], DaemonUnderTest.environment(in: scratch))
        let socket = try #require(ran.output.split(separator: "=").last)
        let home = socket.split(separator: "/").prefix(2).joined(separator: "/")
        #expect(home.hasPrefix("tmp/promod-"))
        #expect(access("/" + home, F_OK) != 0)
    }

    @Test func aReviewIsGrantedAgainAndAgainAfterThreeCompletionsWithoutALaunch() throws {
        let daemon = try start()
        #expect(try daemon.ask(DaemonUnderTest.requestLine("my-app", completed: 2)).reasons == ["too-few-completions"])
        for _ in 0..<5 { #expect(try daemon.ask(DaemonUnderTest.requestLine("my-app")).isGranted == true) }
    }

    @Test func aReloadReadsTheFileAgainAndABrokenOneChangesNothing() throws {
        let daemon = try start()
        func reload(_ text: String?) throws -> (reason: String?, message: String, names: [String]) {
            if let text { try scratch.write("catalog.json", text) } else { unlink(file) }
            let reply = try daemon.ask(#"{"method":"reload"}"#)
            let apps = try daemon.ask(Self.list).result["apps"] as? [[String: Any]] ?? []
            return (reply.reason, reply.message, apps.compactMap { $0["name"] as? String })
        }
        var last = try reload(SampleFile.renamed)
        #expect((last.reason, last.names.first) == (nil, "FineBill Pro"))
        for broken in [SampleFile.text.replacingOccurrences(of: "https:", with: "http:"), "{", "", nil] {
            last = try reload(broken)
            #expect((last.reason, last.names.first) == ("bad-configuration", "FineBill Pro"))
            #expect(last.message.contains(file))
            let problems = try daemon.ask(#"{"method":"status"}"#).problems
            #expect(problems.map { $0["code"] as? String } == ["configuration"])
        }
        last = try reload(SampleFile.text)
        #expect((last.reason, last.names.first) == (nil, "FineBill"))
    }

    @Test func aFileThatIsBrokenOrMissingAtTheStartIsAnError() throws {
        func run(_ file: String) throws -> Ran {
            try Ran([DaemonUnderTest.binary, "--catalog-file", file], DaemonUnderTest.environment(in: scratch))
        }
        try scratch.write(
            "catalog.json", SampleFile.text.replacingOccurrences(of: "iconURL\": \"https", with: "iconURL\": \"http"))
        let broken = try run(file)
        #expect((broken.code, broken.output) == (65, ""))
        #expect(broken.error.contains("\(file):47:18: error: /apps/4/iconURL: \"iconURL\" must be an https address"))
        let missing = try run(scratch("none.json"))
        let reason = "promod: there is no file \(scratch("none.json"))\n"
        #expect((missing.code, missing.output, missing.error) == (66, "", reason))
        #expect(try run(scratch.path).code == 66)
    }

    @Test func itRunsBesideThePersonsPromodAndTouchesNothingOfHers() throws {
        let hers = try DaemonUnderTest(in: scratch)
        try scratch.write("config/promod/config.toml", "broken")
        let before = try ChildProcess.run(["find", scratch.path]).output
        // As in a shell that has read the line of one that has ended.
        let daemon = try start(["PROMOD_SOCKET": "/tmp/promod-gone/promod/promod.sock"])
        _ = try daemon.ask(DaemonUnderTest.launchLine("my-app"))
        #expect(try daemon.ask(Self.list).source == "file")
        #expect(try ChildProcess.run(["find", scratch.path]).output == before)
        #expect(try hers.ask(Self.list).source == "sample")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func nothingIsLeftWhenItHasEnded(signal: Int32) throws {
        let daemon = try start()
        _ = try daemon.ask(DaemonUnderTest.launchLine("my-app"))
        let home = String(daemon.socket.prefix("/tmp/promod-XXXXXX".count))
        #expect(FileManager.default.fileExists(atPath: home + "/promod/reviews.json"))
        daemon.process.signal(signal)
        #expect(daemon.process.wait() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: home))
    }
}
