import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// A machine without a service, on which programs start promod with `promod --background`.
final class Background: Sendable {
    let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    deinit {
        // What a failed test leaves.
        if let pid = try? status().pid { kill(pid, SIGTERM) }
    }

    var environment: [String: String] { DaemonUnderTest.environment(in: scratch) }
    var socketPath: String { scratch("run/promod/promod.sock") }

    func child(_ options: [String] = [], through launcher: [String] = [], setting more: [String: String] = [:]) throws
        -> ChildProcess
    {
        try ChildProcess(
            launcher + [DaemonUnderTest.binary, "--background"] + options,
            environment: environment.merging(more) { $1 })
    }

    @discardableResult
    func start(_ options: String..., through launcher: [String] = [], setting more: [String: String] = [:]) throws
        -> (code: ChildProcess.End, output: String, error: String)
    {
        let child = try child(options, through: launcher, setting: more)
        return (child.wait(), child.standardOutput, child.standardError)
    }

    func ask(_ line: String) throws -> Reply {
        try Reply(to: line, at: socketPath)
    }

    func status() throws -> (pid: pid_t, result: [String: Any]) {
        let result = try ask(#"{"method":"status"}"#).result
        return (pid_t(result["pid"] as? Int ?? 0), result)
    }
}

/// `promod --background`, with which an app of any language comes to a promod.
struct BackgroundTests {
    private let machine: Background

    init() throws {
        machine = try Background()
    }

    /// Takes the lock of a promod that listens.
    private func lock() throws -> Int32 {
        try machine.scratch.write("run/promod/.keep", "")
        let lock = open(machine.socketPath + ".lock", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        return lock
    }

    @Test func whenItReturnsClientsAreServedAndAnotherStartChangesNothing() throws {
        #expect(try machine.start() == (.exited(0), "", ""))
        let first = try machine.status()
        #expect(first.result["startedBy"] as? String == "app")
        #expect(try String(contentsOfFile: "/proc/\(first.pid)/comm", encoding: .utf8) == "promod\n")
        #expect(try machine.start() == (.exited(0), "", ""))
        #expect(try machine.status().pid == first.pid)
    }

    @Test func itHasNothingOfTheAppButTheUsersDirectoriesLocaleAndProxies() throws {
        #expect(
            try machine.start(
                through: ["/bin/sh", "-c", "exec 9</; exec \"$@\"", "sh"],
                setting: [
                    "LC_ALL": "C", "TZ": "UTC", "https_proxy": "http://localhost:1", "HTTP_PROXY": "",
                    "PROMOD_PROGRAM": "/x",
                    "LD_BIND_NOW": "1", "APPDIR": "/x", "JOURNAL_STREAM": "1:1", "WATCHDOG_USEC": "1",
                    "XDG_DATA_DIRS": "/app", "XDG_CONFIG_DIRS": "/app",
                ]
            ).code == .exited(0))
        let pid = try machine.status().pid
        let scratch = machine.scratch
        func of(_ name: String) throws -> [String] {
            try String(contentsOfFile: "/proc/\(pid)/\(name)", encoding: .utf8).split(separator: "\0").map(String.init)
        }
        #expect(
            try of("environ").sorted() == [
                "HOME=\(scratch.path)", "LANG=C", "LC_ALL=C", "TZ=UTC", "XDG_CACHE_HOME=\(scratch("cache"))",
                "XDG_CONFIG_HOME=\(scratch("config"))", "XDG_DATA_DIRS=/usr/local/share:/usr/share:/app/share",
                "XDG_DATA_HOME=\(scratch("data"))", "XDG_RUNTIME_DIR=\(scratch("run"))",
                "XDG_STATE_HOME=\(scratch("state"))", "https_proxy=http://localhost:1",
            ])
        #expect(try of("cmdline") == ["promod-background", "--exit-idle-time=15"])
        #expect(getsid(pid) == pid)
        let files = FileManager.default
        #expect(try files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd") == "/")
        for number in try files.contentsOfDirectory(atPath: "/proc/\(pid)/fd") {
            let target = try files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(number)")
            if ["0", "1", "2"].contains(number) { #expect(target == "/dev/null") }
            #expect(!target.hasPrefix("pipe:"), "\(number)")
            #expect(target != "/", "\(number)")
        }
    }

    @Test(arguments: [
        #"out=$("$@" 2>&1)"#, #"exec "$@" <&- >&- 2>&-"#, #"exec env --ignore-signal=CHLD "$@""#,
        #"ulimit -n 64; exec "$@""#,
        // A thousand open files.
        #"exec python3 -c 'import os, sys; [os.dup2(0, n) for n in range(20, 1020)]; os.execv(sys.argv[1], sys.argv[1:])' "$@""#,
    ])
    func whoeverCallsItWaitsForNothingElse(_ script: String) throws {
        #expect(try machine.start(through: ["/bin/sh", "-c", script, "sh"]) == (.exited(0), "", ""))
        #expect(try machine.status().result["startedBy"] as? String == "app")
    }

    @Test func aLockOfOneThatEndsIsWaitedFor() throws {
        let lock = try lock()
        let child = try machine.child()
        #expect(comes { !child.children.isEmpty })
        #expect(child.wait(milliseconds: 300) == nil)
        close(lock)
        #expect(child.wait() == .exited(0), "\(child.standardError)")
        #expect(try machine.status().result["startedBy"] as? String == "app")
    }

    @Test(arguments: [[], ["/usr/bin/env", "--ignore-signal=CHLD"]])
    func aBadConfigurationIsToldWithTheDaemonsCode(_ launcher: [String]) throws {
        try machine.scratch.write("config/promod/config.toml", "[refresh]\nintervall = \"1h\"\n")
        let ran = try machine.start(through: launcher)
        #expect(ran.code == .exited(78))
        #expect(ran.error.contains("config.toml:2: refresh.intervall"))
        #expect(access(machine.socketPath, F_OK) != 0)
    }

    @Test func aConfigurationThatIsALinkToNothingIsBroken() throws {
        try machine.scratch.write("config/promod/nothing", "")
        symlink("/gone", machine.scratch("config/promod/config.toml"))
        let ran = try machine.start()
        #expect(ran.code == .exited(78))
        #expect(ran.error.contains("config.toml: it is a link to a file"))
    }

    @Test func whoHasSwitchedItOffIsNotAskedAgain() throws {
        try machine.scratch.write("config/promod/config.toml", "background = false\n")
        let ran = try machine.start()
        #expect(ran.code == .exited(77))
        #expect(ran.error.contains("background = false"))
        #expect(access(machine.socketPath, F_OK) != 0)
        // Nor is one needed where a service runs.
        let daemon = try DaemonUnderTest(in: machine.scratch)
        #expect(try machine.start().code == .exited(0))
        let status = try machine.status()
        #expect((status.pid, status.result["startedBy"] as? String) == (daemon.process.pid, "service"))
    }

    @Test(arguments: [["--sample"], ["--set", "log.level=debug"], ["--catalog-file", "x"], ["--log-level", "debug"]])
    func itTakesNoConfiguration(_ options: [String]) throws {
        #expect(try machine.child(options).wait() == .exited(64))
    }

    /// As after `sudo --preserve-env`.
    @Test(.enabled(if: geteuid() == 0, "only root can write in the home of another user"))
    func rootLeavesNothingInTheHomeOfAnotherUser() throws {
        try machine.scratch.write("home/.keep", "")
        let home = machine.scratch("home")
        #expect(chown(home, 1234, 1234) == 0)
        let bases = ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map { ($0, "") }
        let variables = Dictionary(uniqueKeysWithValues: [("HOME", home)] + bases)
        let address = "--catalog-url=https://localhost:1/a.json"
        let ran = try machine.start("--app=notes", address, setting: variables)
        #expect(ran.code == .exited(71))
        #expect(ran.error.contains("\(home), belongs to the user 1234"))
        // Nor does the library, although somebody serves it.
        #expect(try machine.start().code == .exited(0))
        let probe = try ChildProcess(
            [AppWithPromodTests.probe, "own", "https://localhost:1/a.json"],
            environment: machine.environment.merging(variables) { $1 })
        #expect(comes { probe.standardOutput.contains("belongs to the user 1234") }, "\(probe.standardOutput)")
        #expect(try machine.scratch.names(in: "home") == [".keep"])
    }

    @Test func whoListensAndAnswersNobodyIsNamed() throws {
        try machine.scratch.write("run/promod/.keep", "")
        let listener = try UnixSocket.listen(at: machine.socketPath)
        defer { close(listener) }
        let ran = try machine.start()
        #expect(ran.code == .exited(75), "\(ran)")
        let reason = "promod: the process \(getpid()) listens at \(machine.socketPath), but has not answered"
        #expect(ran.error.hasPrefix(reason))
    }

    @Test func aLockThatStaysHeldIsNamed() throws {
        let lock = try lock()
        defer { close(lock) }
        let ran = try machine.start()
        #expect(ran.code == .exited(75))
        #expect(ran.error.contains("holds the lock \(machine.socketPath).lock"))
    }

    @Test(arguments: ["file", "directory", "link"]) func besideWhatIsNoSocketNoLockIsLeft(_ kind: String) throws {
        let scratch = machine.scratch
        try scratch.write("odd/file", "precious")
        try scratch.write("odd/directory/.keep", "")
        try scratch.link("odd/link", to: "/dev/null")
        let ran = try machine.start(setting: ["PROMOD_SOCKET": scratch("odd/\(kind)")])
        #expect(ran.code == .exited(71))
        #expect(ran.error.contains("odd/\(kind)"))
        #expect(try scratch.names(in: "odd") == ["directory", "file", "link"])
        #expect(scratch.read("odd/file") == "precious")
    }

    /// An older one of an app gives way, as the tests of two versions say.
    @Test(arguments: [("0.2.9", "service"), ("0.2.9", "command-line"), (Version.current, "app")])
    func everyOtherOneStays(_ version: String, _ startedBy: String) throws {
        try machine.scratch.write("run/promod/.keep", "")
        let reply = #"{"jsonrpc":"2.0","id":1,"result":{"version":"\#(version)","startedBy":"\#(startedBy)"}}"#
        // It ends by SIGTERM.
        let script = """
            import socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen()
            while True:
                client = listener.accept()[0]
                if client.recv(1000): client.sendall(sys.argv[2].encode() + b"\\n")
                client.close()
            """
        let other = try ChildProcess(["python3", "-c", script, machine.socketPath, reply])
        #expect(comes { (try? UnixSocket(connectingTo: machine.socketPath)) != nil })
        #expect(try machine.start().code == .exited(0))
        #expect(other.wait(milliseconds: 0) == nil)
        #expect(try machine.status().result["version"] as? String == version)
    }
}
