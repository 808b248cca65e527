import Foundation
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Promods of two versions, each of which comes with an app, in one home.
@Suite(.timeLimit(.minutes(5))) struct TwoVersionsTests {
    private enum Age: String { case older, newer }

    /// Versions as long as the current one, which stands in the program: 0.0.0 and 9.9.9.
    private static func version(_ age: Age) -> String {
        String(Version.current.map { $0 == "." ? "." : age == .older ? "0" : "9" })
    }

    private let machine: Background
    private let scratch: ScratchDirectory
    private let origin: NginxOrigin

    init() throws {
        machine = try Background()
        scratch = machine.scratch
        origin = try NginxOrigin()
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(origin.caFile)\"\n")
        for age in [Age.older, .newer] {
            try scratch.install("\(age)/promod", copying: DaemonUnderTest.binary)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("\(age)/promod")))
            let current = Data(Version.current.utf8)
            while let place = bytes.range(of: current) {
                bytes.replaceSubrange(place, with: Data(Self.version(age).utf8))
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch("\(age)/promod")))
            try file.write(contentsOf: bytes)
            try file.close()
        }
    }

    /// Starts the promod of an app, and returns the version of the one that serves, and its process.
    @discardableResult
    private func start(_ age: Age, _ options: String...) throws -> (version: String?, pid: pid_t) {
        let started = try ChildProcess.run(
            [scratch("\(age)/promod"), "--background"] + options, environment: machine.environment)
        #expect(started.end == .exited(0), "\(started)")
        let status = try machine.status()
        return (status.result["version"] as? String, status.pid)
    }

    private func end(_ pid: pid_t) {
        kill(pid, SIGTERM)
        #expect(comes { kill(pid, 0) != 0 })
    }

    private var list: String {
        #"{"method":"list","params":{"host":"finebill","catalog":"\#(origin.url)","wait":true}}"#
    }

    @Test func aNewerOneTakesOverFromAnOlderOneUnderItsClientsWithCacheAndHistory() throws {
        let older = try start(.older, "--app=finebill", "--catalog-url=\(origin.url)")
        #expect(older.version == Self.version(.older))
        #expect(try machine.ask(list).apps == ["bookary", "finepomo"])
        let launched = try machine.ask(DaemonUnderTest.launchLine("finebill"))
        let client = try ChildProcess(
            [PromoctlUnderTest.binary, "events", "--json"], environment: machine.environment)
        #expect(
            try comes { (try machine.status().result["socket"] as? [String: Any])?["subscribers"] as? Int == 1 })

        let newer = try start(.newer)
        #expect(newer.version == Self.version(.newer))
        #expect(comes { kill(older.pid, 0) != 0 })
        #expect(comes { client.standardError.contains("promod is back after a restart") }, "\(client.standardError)")
        let fetched = try machine.ask(list)
        #expect((fetched.state, fetched.apps) == ("fresh", ["bookary", "finepomo"]))
        #expect(try machine.ask(DaemonUnderTest.launchLine("finebill")).firstLaunch == launched.firstLaunch)
        #expect(origin.log.count == 1, "\(origin.log)")
        client.signal(SIGTERM)
        client.wait()
        end(newer.pid)
    }

    @Test func anOlderOneIsNotStartedBesideANewerOneAndGoesOnWithItsFiles() throws {
        let newer = try start(.newer, "--app=finebill", "--catalog-url=\(origin.url)")
        #expect(try machine.ask(list).state == "fresh")
        let launched = try machine.ask(DaemonUnderTest.launchLine("finebill"))
        let same = try start(.older, "--app=finebill", "--catalog-url=\(origin.url)")
        #expect(same == (Self.version(.newer), newer.pid))
        end(newer.pid)

        let older = try start(.older)
        #expect(older.version == Self.version(.older))
        #expect(try machine.ask(list).state == "fresh")
        #expect(try machine.ask(DaemonUnderTest.launchLine("finebill")).firstLaunch == launched.firstLaunch)
        #expect(origin.log.count == 1, "\(origin.log)")
        end(older.pid)
    }

    @Test func doctorNamesBothVersionsAndNoServiceThatDoesNotRun() throws {
        let older = try start(.older)
        let doctor = try PromoctlUnderTest(in: scratch).run("doctor")
        let versions = "promod is version \(Self.version(.older)), but promoctl is \(Version.current)."
        #expect(doctor.output.contains("\(versions)\n  That goes when this promod ends"), "\(doctor)")
        end(older.pid)
    }

    /// Clients ask while one ends and the other begins, and ask again if no reply comes.
    @Test(arguments: [true, false]) func noReviewIsGrantedTwiceAndNothingIsLost(isOlderFirst: Bool) throws {
        let apps = (0..<60).map { "app-\($0)" }
        let history = ReviewHistoryFile(scratch: scratch)
        try history.write(apps: apps)
        let first = try start(isOlderFirst ? .older : .newer)
        let granted = Mutex<[String: Int]>([:])
        let (begun, ended) = (Gate(), Gate())
        DispatchQueue.global().async { [machine] in
            for app in apps {
                for _ in 1...2 {
                    let reply = try? awaited("a reply") { try? machine.ask(DaemonUnderTest.requestLine(app)).isGranted }
                    if reply == true { granted.withLock { $0[app, default: 0] += 1 } }
                }
                if app == apps[9] { begun.open() }
            }
            ended.open()
        }
        #expect(begun.pass())
        if !isOlderFirst { end(first.pid) }
        let second = try start(isOlderFirst ? .newer : .older)
        #expect(second.pid != first.pid)
        #expect(ended.pass())
        // Without a reply, the request may have been granted all the same.
        let counts = granted.withLock { $0 }
        #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(counts.count >= apps.count - 1)
        #expect(try apps.filter { try history.requests(of: $0).count != 1 } == [])
        #expect(access(history.damagedPath, F_OK) != 0)
        end(second.pid)
    }
}
