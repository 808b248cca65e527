import Foundation
import PromoTestSupport
import Testing

/// Missing daemons, and other things at the socket's path.
struct PromoctlFailureTests {
    /// A command of each kind, except `wait`, `version` and `setup`, which fail in their own ways.
    private static let commands = [
        ["list"], ["list", "--json"], ["tap", "bookary"], ["tap", "bookary", "--open"], ["impression", "bookary"],
        ["launch", "bookary"], ["review", "eligible", "bookary", "--completed", "3"],
        ["review", "request", "bookary", "--completed", "3", "--open"], ["refresh"], ["refresh", "--json"], ["clear"],
        ["status"], ["status", "--json"], ["events"], ["events", "--since", "3"], ["reload"],
        ["check"],
    ]

    /// Runs all commands at once against a socket, and checks exit code and message of each.
    private func expect(
        _ scratch: ScratchDirectory, socket: String, code: Int32 = 69, saying words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let promoctl = PromoctlUnderTest(in: scratch, environment: ["PROMOD_SOCKET": socket])
        let children = try Self.commands.map { ($0, try promoctl.start($0)) }
        for (command, child) in children {
            let end = child.wait(seconds: 40)
            #expect(end == .exited(code), "\(command) \(child.standardError)", sourceLocation: sourceLocation)
            #expect(child.standardOutput == "", "\(command)", sourceLocation: sourceLocation)
            let error = child.standardError
            let message = command.contains("--json") ? try PromoctlError(error).message : error
            #expect(message.hasPrefix("promoctl: ") != command.contains("--json"), sourceLocation: sourceLocation)
            #expect(message.contains(words), "\(command) \(error)", sourceLocation: sourceLocation)
        }
    }

    @Test func withoutADaemonEveryCommandSaysHowToStartIt() throws {
        let scratch = try ScratchDirectory()
        let path = scratch("run/promod/promod.sock")
        try expect(
            scratch, socket: path,
            saying: "promod cannot be reached at \(path): no such file or directory. Start it with "
                + "\"systemctl --user restart promod.socket\", or with \"promod --background\". PROMOD_SOCKET names this path"
        )
    }

    @Test func ifOnlyTheFileOfTheSocketIsGoneTheAdviceIsToRestart() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("gone.sock"), .silence)
        unlink(scratch("gone.sock"))
        try expect(
            scratch, socket: scratch("gone.sock"),
            saying: "no such file or directory. promod runs, but its socket was removed. Restart it with ")
        #expect(listener.count == 0)
    }

    /// A promod that never answers, one that accepts no connection, and one that sends a line without an end.
    @Test(.disabled(if: Sanitizer.isOn)) func everyCommandEndsInSecondsAndInBoundedMemory() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("silent.sock"), .silence)
        let endless = try ScriptedListener(at: scratch("endless.sock"), .endless("x"))
        let descriptor = try UnixSocket.listen(at: scratch("full.sock"))
        defer { close(descriptor) }
        listen(descriptor, 0)
        let waiting = try UnixSocket(connectingTo: scratch("full.sock"))
        let promoctl = PromoctlUnderTest(in: scratch)
        let wait = try promoctl.start(["wait", "--timeout", "1s", "--socket", scratch("silent.sock")])
        let lists = try ["full.sock", "endless.sock"].map { socket in
            try ChildProcess(
                ["/bin/sh", "-c", "ulimit -v 2000000; exec \"$0\" list --socket \"$1\"", PromoctlUnderTest.binary]
                    + [scratch(socket)], environment: promoctl.environment)
        }
        try expect(
            scratch, socket: scratch("silent.sock"),
            saying: "promod did not answer on \(scratch("silent.sock")) in time.")
        #expect((wait.wait(), wait.standardOutput) == (.exited(75), ""))
        #expect(listener.count == Self.commands.count + 1)
        for list in lists { #expect((list.wait(), list.standardOutput) == (.exited(69), "")) }
        // Whichever comes first: on a busy machine the time is over before the limit is reached.
        let outcomes = ["sends endless lines.", "promod did not answer on "]
        #expect(outcomes.contains(where: lists[1].standardError.contains), "\(lists[1].standardError)")
        #expect(endless.count == 1)
        withExtendedLifetime(waiting) {}
    }

    @Test func anEndInTheMiddleOfAReplyIsReported() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(
            at: scratch("half.sock"), .text(#"{"jsonrpc":"2.0","id":1,"result":{"state":"lo"#))
        try expect(scratch, socket: scratch("half.sock"), saying: "promod ended the connection to ")
        #expect(listener.count > Self.commands.count)
    }

    @Test func whatMayBeRepeatedIsAskedOnceMoreAndATapIsNot() throws {
        let scratch = try ScratchDirectory()
        let reply =
            #"{"jsonrpc":"2.0","id":1,"result":{"app":"a","firstLaunch":"2026-01-01T00:00:00Z","recorded":true}}"#
        let restarted = try ScriptedListener(at: scratch("a.sock"), .end, .text(reply + "\n"))
        let launch = try PromoctlUnderTest(in: scratch).run("launch", "a", "--socket", scratch("a.sock"))
        #expect(launch.code == 0)
        #expect(launch.output.hasPrefix("The first launch of a is recorded: "))
        #expect(restarted.count == 2)
        let ended = try ScriptedListener(at: scratch("b.sock"), .end)
        let review = ["review", "request", "a", "--completed", "3", "--app-store-id", "1"]
        for command in [["tap", "a"], ["impression", "a"], review] {
            let before = ended.count
            #expect(try PromoctlUnderTest(in: scratch).run(command + ["--socket", scratch("b.sock")]).code == 69)
            #expect(ended.count == before + 1)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n", "{}\n", #"{"jsonrpc":"2.0","id":1,"result":{}"# + "\n",
    ])
    func aReplyThatIsNotValidIsReported(reply: String) throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("odd.sock"), .text(reply))
        try expect(
            scratch, socket: scratch("odd.sock"),
            saying: "promod answered with ")
        #expect(listener.count >= Self.commands.count)
    }

    @Test func anErrorsTextReachesNoTerminalRaw() throws {
        let scratch = try ScratchDirectory()
        let error = #"{"code":-32001,"message":"\u001b[31mred\u009b2J","data":{"reason":"unknown-app"}}"#
        let listener = try ScriptedListener(
            at: scratch("odd.sock"), .text(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n"))
        let tap = try PromoctlUnderTest(in: scratch).run("tap", "a", "--socket", scratch("odd.sock"))
        #expect((tap.code, tap.output, tap.error) == (65, "", "promoctl: ␛[31mred�2J\n"))
        #expect(listener.count == 1)
    }

    /// Its status says why there is no catalog, and is asked once.
    @Test func whoRefusesEverythingForLackOfACatalogIsAskedTwice() throws {
        let daemon = try ScriptedDaemon { _ in .refusal("no-catalog") }
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch, environment: ["PROMOD_SOCKET": daemon.path])
        #expect(try promoctl.run("tap", "bookary").code == 75)
        #expect(daemon.requests.map(\.method) == ["tap", "status"])
    }

    @Test func aDaemonWithTooManyConnectionsExitsWith75() throws {
        let daemon = try DaemonUnderTest(settings: ["socket.max-connections": "1"])
        let held = try daemon.connect()
        held.send("{\"method\":\"status\"}\n")
        #expect(held.readLines(1).count == 1)
        let list = try PromoctlUnderTest(daemon).run("list")
        #expect((list.code, list.output) == (75, ""))
        #expect(list.error.hasPrefix("promoctl: "))
    }

    @Test func aSubcommandOfTheOtherProgramIsReportedWithThatProgram() throws {
        let environment = PromoctlUnderTest(in: try ScratchDirectory()).environment
        func run(_ program: String, _ argument: String...) throws -> Ran {
            try Ran([program] + argument, environment)
        }
        for (program, other) in [("promod", "promoctl"), ("promoctl", "promod")] {
            let binaries = ["promod": DaemonUnderTest.binary, "promoctl": PromoctlUnderTest.binary]
            let (own, others) = (try #require(binaries[program]), try #require(binaries[other]))
            let names = try [own, others].map { binary in
                let script = try run(binary, "--generate-completion-script", "bash").output
                return try #require(script.firstMatch(of: #/compgen -W '([a-z -]*) help' --/#)).1.split(separator: " ")
            }
            for name in names[1] where !names[0].contains(name) {
                let ran = try run(own, String(name))
                #expect(ran.code == 64)
                #expect(ran.error.hasPrefix("Error: \(program) has no \"\(name)\"; \(other) has: \(other) \(name).\n"))
            }
        }
    }
}
