import Foundation
import PromoTestSupport
import Testing

/// Two promods with one cache and one review history, as on two machines with one home.
struct SharedHomeTests {
    /// The first promod, which keeps the cache on a machine named elsewhere.
    private struct Owner {
        let origin: NginxOrigin
        let scratch: ScratchDirectory
        let daemon: DaemonUnderTest
        let environment: [String: String]

        init() throws {
            origin = try NginxOrigin()
            scratch = try ScratchDirectory()
            environment = [
                "PROMOD_CATALOG_URL": origin.url, "PROMOD_CATALOG_CA_FILE": origin.caFile,
                "PROMOD_REFRESH_MIN_GAP": "0s", "PROMOD_REVIEW_MIN_DAYS_SINCE_FIRST_LAUNCH": "0",
            ]
            daemon = try DaemonUnderTest(in: scratch, environment: environment)
            #expect(try daemon.ask(#"{"method":"list","wait":true}"#).apps.count == 5)
            #expect(try daemon.ask(#"{"method":"launch","app":"bookary"}"#).error.isEmpty)
            try writeLock("\(daemon.process.pid)\nelsewhere\n")
        }

        /// Writes what the lock says, into the file that is locked.
        func writeLock(_ text: String) throws {
            let lock = try #require(FileHandle(forWritingAtPath: scratch("cache/promod/lock")))
            try lock.truncate(atOffset: 0)
            try lock.write(contentsOf: Data(text.utf8))
        }

        var name: String { "promod on elsewhere (pid \(daemon.process.pid))" }

        /// Whatever a promod may write, with its contents and times.
        var files: [String: String] {
            get throws {
                let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
                let kept = paths.filter { $0.hasPrefix("cache/") || $0.hasPrefix("state/") }
                return Dictionary(
                    uniqueKeysWithValues: kept.map { path in
                        let attributes = try? FileManager.default.attributesOfItem(atPath: scratch(path))
                        return (path, "\(attributes?[.modificationDate] ?? "") \(scratch.read(path))")
                    })
            }
        }
    }

    /// The second promod, which systemd has started on this machine.
    private final class Reader {
        let daemon: DaemonUnderTest
        let path: String
        private let listener: Int32

        init(beside owner: Owner) throws {
            path = owner.scratch("other.sock")
            listener = try UnixSocket.listen(at: path)
            let runtime = ["XDG_RUNTIME_DIR": owner.scratch("run-2")]
            daemon = try DaemonUnderTest(
                in: owner.scratch, environment: owner.environment.merging(runtime) { $1 }, listener: listener)
        }

        deinit { close(listener) }

        func ask(_ method: String, _ parameters: String = "") throws -> Reply {
            try daemon.ask(#"{"method":"\#(method)"\#(parameters)}"#, at: path)
        }
    }

    @Test func theSecondPromodServesWhatTheFirstKeepsFollowsItAndTakesOver() throws {
        let owner = try Owner()
        let reader = try Reader(beside: owner)
        let list = try reader.ask("list")
        #expect(list.apps.count == 5 && list.state == "loaded")
        let kept = try reader.ask("status").object("owner")
        #expect(kept["host"] as? String == "elsewhere" && kept["pid"] as? Int == Int(owner.daemon.process.pid))
        #expect(reader.daemon.logs("\(owner.name) keeps the cache"))

        try owner.origin.publish(SampleFile.renamed)
        #expect(try owner.daemon.ask(#"{"method":"refresh"}"#).outcome == "updated")
        #expect(try owner.daemon.ask(#"{"method":"launch","app":"fittoday"}"#).error.isEmpty)
        #expect(try comes { try reader.ask("list").description.contains("FineBill Pro") })
        #expect(try comes { try !reader.ask("list", #","unlaunched":true"#).apps.contains("fittoday") })
        let fetches = owner.origin.log.count

        owner.daemon.process.signal(SIGKILL)
        owner.daemon.process.wait()
        #expect(try comes { try reader.ask("status").result["owner"] is NSNull })
        let line = reader.daemon.notify.wait { $0.hasPrefix("STATUS=") && $0.contains("next refresh") }.last
        #expect(line?.contains("only read") == false)
        #expect(try reader.ask("refresh").outcome == "unchanged")
        #expect(owner.origin.log.count == fetches + 1)
        let completed = #","app":"bookary","completed":3"#
        #expect(try reader.ask("review-request", completed).result["granted"] as? Bool == true)
        #expect(reader.daemon.logs("The cache is free, and promod takes over"))
        #expect(reader.daemon.stop() == .exited(0))
    }

    @Test func aReaderWritesNothingAndRefusesWhatWould() throws {
        let owner = try Owner()
        let before = try owner.files
        let reader = try Reader(beside: owner)
        for (method, parameters) in [
            ("refresh", ""), ("clear", ""), ("launch", #","app":"fittoday""#),
            ("review-request", #","app":"bookary","completed":3"#), ("review-reset", #","app":"bookary""#),
        ] {
            let refusal = try reader.ask(method, parameters)
            #expect(refusal.reason == "busy")
            #expect((refusal.error["message"] as? String)?.contains(owner.name) == true, "\(refusal)")
        }
        let launch = try reader.ask("launch", #","app":"bookary""#)
        #expect(launch.result["recorded"] as? Bool == false && launch.result["firstLaunch"] is String)
        let eligible = try reader.ask("review-eligible", #","app":"bookary","completed":3"#)
        #expect(eligible.result["eligible"] as? Bool == true)
        #expect(try reader.ask("icon", #","app":"bookary""#).result["data"] is NSNull)
        #expect(try reader.ask("list", #","icons":true,"wait":true"#).apps.count == 5)
        #expect(try reader.ask("reload").error.isEmpty)
        let promoctl = PromoctlUnderTest(reader.daemon).with(["PROMOD_SOCKET": reader.path])
        #expect(try promoctl.run("status").output.contains("\(owner.name) keeps it; this one reads it"))
        #expect(try promoctl.run("explain").output.contains("Only \(owner.name) asks"))
        #expect(try owner.files == before)
        #expect(reader.daemon.stop() == .exited(0))
        #expect(try owner.files == before)
        #expect(owner.origin.log.count == 1)
    }

    @Test func nobodyIsToldToStopAProcessOfAnotherMachine() throws {
        let owner = try Owner()
        let runtime = ["XDG_RUNTIME_DIR": owner.scratch("run-2")]
        let environment = DaemonUnderTest.environment(in: owner.scratch).merging(runtime) { $1 }
        let second = try ChildProcess.run([DaemonUnderTest.binary], environment: environment)
        #expect(second.end == .exited(75))
        #expect(second.error.contains(owner.name) && !second.error.contains("stop it"), "\(second.error)")
    }
}
