import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// Start, stop, a second daemon, and a start by systemd.
struct LifeTests {
    private let brokenFile = "[refresh]\nintervall = \"1h\"\n"

    private func runToEnd(
        in scratch: ScratchDirectory, _ options: String..., environment: [String: String] = [:]
    ) throws -> (end: ChildProcess.End, output: String, error: String) {
        try ChildProcess.run(
            [DaemonUnderTest.binary] + options,
            environment: DaemonUnderTest.environment(in: scratch).merging(environment) { $1 })
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItWithExitCodeZeroAndTakesItsSocketAway(_ number: Int32) throws {
        let daemon = try DaemonUnderTest()
        let idle = try daemon.connect()
        daemon.process.signal(number)
        #expect(daemon.process.wait() == .exited(0))
        #expect(idle.readToEnd() == [])
        #expect(!FileManager.default.fileExists(atPath: daemon.socketPath))
        #expect(daemon.notify.wait(for: { $0 == "STOPPING=1" }).last == "STOPPING=1")
    }

    @Test func aStoppingDaemonAnswersWhoWaits() throws {
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest("--catalog-url", "https://localhost:\(silent.port)/")
        let client = try daemon.connect()
        client.send("{\"method\":\"refresh\"}\n")
        #expect(try comes { try daemon.catalog()["refreshing"] as? Bool == true })
        #expect(daemon.stop() == .exited(0))
        #expect(try Reply(try #require(client.readToEnd().first)).reason == "busy")
    }

    @Test func aSecondDaemonOnTheSameSocketEndsWith75AndSaysWhoIsThere() throws {
        let daemon = try DaemonUnderTest()
        let second = try runToEnd(in: daemon.scratch)
        #expect(second.end == .exited(75))
        #expect(second.error.contains("\(daemon.process.pid)"))
        #expect(second.error.split(separator: "\n").count == 1)
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
    }

    @Test func itEndsWhenTheFileOfItsSocketIsGone() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        unlink(daemon.socketPath)
        #expect(daemon.process.wait() == .exited(0))
        #expect(client.readToEnd() == [])
        #expect(try DaemonUnderTest(in: daemon.scratch).stop() == .exited(0))
    }

    /// As systemd does it when the package is installed.
    @Test func itLeavesItsPathToAnotherSocket() throws {
        let daemon = try DaemonUnderTest()
        unlink(daemon.socketPath)
        let listener = try UnixSocket.listen(at: daemon.socketPath)
        defer { close(listener) }
        #expect(daemon.process.wait() == .exited(0))
        #expect(access(daemon.socketPath, F_OK) == 0)
    }

    @Test func byHandABadConfigurationEndsItWith78AndNamesFileLineAndKey() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("config/promod/config.toml", brokenFile)
        let daemon = try runToEnd(in: scratch)
        #expect(daemon.end == .exited(78))
        #expect(daemon.error.contains("config/promod/config.toml:2: refresh.intervall"))
        #expect(daemon.error.contains("did you mean refresh.interval?"))
        let long = "/tmp/" + String(repeating: "x", count: SocketPath.maximumBytes)
        let unbindable = try runToEnd(in: ScratchDirectory(), environment: ["PROMOD_SOCKET": long])
        #expect(unbindable.end == .exited(78))
        #expect(unbindable.error.contains("\(SocketPath.maximumBytes)"))
    }

    @Test func hangupReloadsAndNotifiesSystemdBeforeAndAfter() throws {
        let daemon = try DaemonUnderTest()
        daemon.process.signal(SIGHUP)
        let messages = daemon.notify.wait { $0 == "READY=1" }
        #expect(messages.contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        #expect(messages.last == "READY=1")
        #expect(daemon.stop() == .exited(0))
    }

    @Test(arguments: [true, false])
    func startedByHandItEndsWithItsTerminal(isSignalled: Bool) throws {
        let scratch = try ScratchDirectory()
        try scratch.write("run/.keep", "")
        var terminal: Pseudoterminal? = try Pseudoterminal(columns: 80)
        let process = try terminal?.start(
            [DaemonUnderTest.binary], environment: DaemonUnderTest.environment(in: scratch))
        #expect(terminal?.read(until: "serves").contains("serves") == true)
        if isSignalled { process?.signal(SIGHUP) } else { terminal = nil }
        #expect(process?.wait() == .exited(0))
        #expect(access(scratch("run/promod/promod.sock"), F_OK) != 0)
    }

    @Test(arguments: ["0177", "0277", "0777"])
    func itsDirectoriesAreUsableWhateverItsUmask(umask: String) throws {
        let scratch = try ScratchDirectory()
        let launcher = ["/bin/sh", "-c", "umask \(umask); exec \"$@\"", "sh"]
        for _ in 1...2 {
            let daemon = try DaemonUnderTest(in: scratch, launcher: launcher)
            #expect(try daemon.launch("bookary").reason == nil)
            #expect(daemon.stop() == .exited(0))
            #expect(try scratch.mode("state/promod") == 0o700)
            // As a version that did not set its umask left it.
            #expect(chmod(scratch("state/promod"), 0o500) == 0)
        }
    }

    @Test func withoutTheJournalsSocketTheLogIsOnStandardError() throws {
        let scratch = try ScratchDirectory()
        // As a container's runtime passes on the variable and a pipe of the journal, but not its socket.
        let script = #"JOURNAL_STREAM=$(stat -Lc %d:%i /dev/stderr); export JOURNAL_STREAM; exec "$@""#
        let daemon = try DaemonUnderTest(in: scratch, launcher: ["/bin/sh", "-c", script, "sh"])
        #expect(daemon.stop() == .exited(0))
        #expect(daemon.process.standardError.contains("promod has stopped"))
    }

    @Test(arguments: [true, false]) func anInheritedSocketIsServedAndNeverUnlinked(isIdle: Bool) throws {
        let scratch = try ScratchDirectory()
        try scratch.write("run/promod/.keep", "")
        let path = scratch("run/promod/promod.sock")
        let listener = try UnixSocket.listen(at: path)
        defer { close(listener) }
        // A request that is sent before the daemon runs waits in the socket.
        for _ in 1...2 {
            let client = try UnixSocket(connectingTo: path)
            client.send(#"{"method":"list"}"#)
            client.shutdownWriting()
            let daemon = try DaemonUnderTest(in: scratch, listener: listener, "--exit-idle-time=\(isIdle ? 1 : 100)")
            #expect(try client.readToEnd().map { try Reply($0).apps.count } == [5])
            #expect((isIdle ? daemon.process.wait() : daemon.stop()) == .exited(0))
        }
    }

    @Test func withAnInheritedSocketABadConfigurationStopsNoAnswer() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        try scratch.write("config/promod/catalogs.d/default.toml", origin.dropIn)
        let first = try DaemonUnderTest(in: scratch)
        #expect(try first.ask(#"{"method":"refresh"}"#).failure == nil)
        first.stop()

        try scratch.write("config/promod/config.toml", brokenFile)
        let listener = try UnixSocket.listen(at: scratch("run/promod/promod.sock"))
        defer { close(listener) }
        let daemon = try DaemonUnderTest(in: scratch, listener: listener)
        #expect(try daemon.ask(#"{"method":"list"}"#).source == "origin")
        let refused = try daemon.ask(#"{"method":"refresh"}"#)
        #expect(refused.reason == "no-origin")
        #expect(refused.message.contains("refresh.intervall"))
        #expect(daemon.logs("refresh.intervall"))

        try scratch.write("config/promod/config.toml", "")
        #expect(try daemon.ask(#"{"method":"reload"}"#).result["reloaded"] as? Bool == true)
        #expect(try daemon.refresh().outcome == "unchanged")
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aDaemonStartedWithoutStandardDescriptorsKeepsItsFilesCleanOfItsLog() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("run/.keep", "")
        let notify = try NotifySocket(in: scratch)
        let environment = DaemonUnderTest.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 }
        let daemon = try ChildProcess(
            ["/bin/sh", "-c", "exec \"$1\" <&- >&- 2>&-", "sh", DaemonUnderTest.binary], environment: environment)
        notify.wait { $0 == "READY=1" }
        daemon.signal(SIGTERM)
        #expect(daemon.wait() == .exited(0))
        for path in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) {
            #expect(!scratch.read(path).contains("promod serves"), "\(path)")
        }
    }

    @Test func printConfigurationShowsEachValueAndItsSource() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("etc/promod/config.toml", "refresh.interval = \"12h\"\nretry.cap = \"2h\"\n")
        try scratch.write("config/promod/config.toml", "\n[retry]\ncap = \"30m\"\n")
        try scratch.write("data/promod/catalogs.d/bad.toml", "x = 1\n")
        let shown = try runToEnd(
            in: scratch, "--print-configuration", "--catalog-url", "https://me:secret@example.com/c.json?key=1",
            "--set", "retry.base=10s")
        #expect(shown.end == .exited(0))
        let lines = shown.output.split(separator: "\n").map(String.init)
        #expect(lines.contains(##"# url = "https://example.com/c.json""##))
        #expect(!shown.output.contains("secret"))
        for line in [
            "refresh.interval = \"12h\"  # \(scratch("etc/promod/config.toml")):1; takes a duration from 1s to 8760h",
            "retry.cap = \"30m\"  # \(scratch("config/promod/config.toml")):3; takes ",
            #"retry.base = "10s"  # command line; takes "#,
            #"log.level = "info"  # default; takes one of "trace", "#,
            "# network.ca-file is not set; takes an absolute path",
        ] {
            #expect(lines.contains { $0.hasPrefix(line) }, "\(line)")
        }
        #expect(shown.output.contains("\(scratch("data/promod/catalogs.d/bad.toml")):1: "), "\(shown.output)")
    }

    @Test func wrongUsageOfAnyCommandRepeatsNoPassword() throws {
        let address = "https://me:secret@example.com/c.json"
        for program in [DaemonUnderTest.binary, PromoctlUnderTest.binary] {
            for arguments in [["validate", "a", address], ["validate", "a", address, "--json"]] {
                let (end, output, error) = try ChildProcess.run([program] + arguments)
                #expect(end == .exited(64))
                #expect(error.contains("…@example.com"))
                #expect(!(output + error).contains("secret"))
            }
        }
    }
}
