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
                + "\"systemctl --user restart promod.socket\", or by hand with \"promod\". PROMOD_SOCKET names this path"
        )
    }

    @Test func aSocketThatADaemonLeftBehindMeansThatNoDaemonRuns() throws {
        let scratch = try ScratchDirectory()
        close(try UnixSocket.listen(at: scratch("left.sock")))
        try expect(
            scratch, socket: scratch("left.sock"),
            saying: "promod cannot be reached at \(scratch("left.sock")): connection refused. Start it with ")
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

    @Test func aPathThatCannotBeASocketIsAnError() throws {
        let scratch = try ScratchDirectory()
        let long = scratch(String(repeating: "long", count: 40))
        let list = try PromoctlUnderTest(in: scratch).run("list", "--socket", long)
        #expect((list.code, list.output) == (69, ""))
        #expect(list.error.contains(long))
        try scratch.write("file", "")
        let file = try PromoctlUnderTest(in: scratch).run("list", "--socket", scratch("file"))
        #expect((file.code, file.output) == (69, ""))
    }

    @Test func aCommandEndsInSecondsIfTheDaemonNeverAnswers() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("silent.sock"), .silence)
        let wait = try PromoctlUnderTest(in: scratch).start([
            "wait", "--timeout", "1s", "--socket", scratch("silent.sock"),
        ])
        try expect(
            scratch, socket: scratch("silent.sock"),
            saying: "promod did not answer on \(scratch("silent.sock")) in time.")
        #expect(wait.wait() == .exited(75))
        #expect(wait.standardOutput == "")
        #expect(listener.count == Self.commands.count + 1)
    }

    @Test func aCommandEndsInSecondsIfTheListenerAcceptsNoConnection() throws {
        let scratch = try ScratchDirectory()
        let descriptor = try UnixSocket.listen(at: scratch("full.sock"))
        defer { close(descriptor) }
        listen(descriptor, 0)
        let waiting = try UnixSocket(connectingTo: scratch("full.sock"))
        let list = try PromoctlUnderTest(in: scratch).run("list", "--socket", scratch("full.sock"))
        #expect((list.code, list.output) == (69, ""))
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
        "HTTP/1.1 400 Bad Request\r\n", "{}\n", "[]\n", #"{"jsonrpc":"2.0","id":1,"result":{}"# + "\n", "\u{1B}[31m\n",
    ])
    func aReplyThatIsNotValidIsReported(reply: String) throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("odd.sock"), .text(reply))
        try expect(
            scratch, socket: scratch("odd.sock"),
            saying: "promod answered with ")
        #expect(listener.count >= Self.commands.count)
    }

    @Test func aResultThatLacksAMemberIsReported() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(
            at: scratch("odd.sock"), .text(#"{"jsonrpc":"2.0","id":1,"result":{"state":7}}"# + "\n"))
        let promoctl = PromoctlUnderTest(in: scratch, environment: ["PROMOD_SOCKET": scratch("odd.sock")])
        for command in Self.commands.prefix(10) where !command.contains("--json") {
            let ran = try promoctl.run(command)
            #expect((ran.code, ran.output) == (69, ""), "\(command)")
            #expect(ran.error.hasPrefix("promoctl: promod answered with a result in which "), "\(ran.error)")
        }
        #expect(listener.count > 0)
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

    @Test(.disabled(if: Sanitizer.isOn)) func anEndlessLineIsAbandonedInBoundedMemory() throws {
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("endless.sock"), .endless("x"))
        let list = try PromoctlUnderTest(in: scratch).shell(
            "ulimit -v 2000000; promoctl list --socket '\(scratch("endless.sock"))'")
        #expect((list.code, list.output) == (69, ""))
        // Whichever comes first: on a busy machine the time is over before the limit is reached.
        let outcomes = ["sends endless lines.", "promod did not answer on "]
        #expect(outcomes.contains(where: list.error.contains), "\(list.error)")
        #expect(listener.count == 1)
    }

    @Test func aDaemonWithTooManyConnectionsExitsWith75() throws {
        let daemon = try DaemonUnderTest(environment: ["PROMOD_SOCKET_MAX_CONNECTIONS": "1"])
        let held = try daemon.connect()
        held.send("{\"method\":\"status\"}\n")
        #expect(held.readLines(1).count == 1)
        let list = try PromoctlUnderTest(daemon).run("list")
        #expect((list.code, list.output) == (75, ""))
        #expect(list.error.hasPrefix("promoctl: "))
    }

    // MARK: Errors for programs

    @Test func withJSONAnErrorIsALineOfJSON() throws {
        let nobody = PromoctlUnderTest(in: try ScratchDirectory())
        let unreachable = try nobody.run("status", "--json")
        #expect(unreachable.code == 69)
        #expect(try PromoctlError(unreachable.error).code == 69)
        #expect(try PromoctlError(unreachable.error).reason == "unreachable")
        let usage = try nobody.run("list", "--limit", "0", "--json")
        #expect(usage.code == 64)
        #expect(try PromoctlError(usage.error).reason == "usage")
        #expect(try PromoctlError(usage.error).message.contains("--limit"))
    }

    @Test func withJSONARefusalHasTheNumberAndTheWordOfTheProtocol() throws {
        let refused = try PromoctlUnderTest(DaemonUnderTest()).run("tap", "bookery", "--json")
        #expect((refused.code, refused.output) == (65, ""))
        #expect(try PromoctlError(refused.error).code == -32001)
        #expect(try PromoctlError(refused.error).reason == "unknown-app")
    }

    // MARK: What was meant

    @Test(arguments: [["tap"], ["review", "eligible", "a"], ["list"]])
    func anUnknownOptionIsNamedBeforeWhatIsMissing(command: [String]) throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).run(command + ["--bogus"])
        #expect(ran.code == 64 && ran.error.hasPrefix("Error: Unknown option '--bogus'"), "\(ran.error)")
    }

    @Test func aSubcommandOfTheOtherProgramIsReportedWithThatProgram() throws {
        let environment = PromoctlUnderTest(in: try ScratchDirectory()).environment
        func run(_ program: String, _ argument: String...) throws -> Ran {
            Ran(try ChildProcess.run([program] + argument, environment: environment))
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

    @Test func aWrongAppIsReported() throws {
        let promoctl = try PromoctlUnderTest(DaemonUnderTest())
        for arguments in [["tap", "bookery"], ["impression", "stedio", "bookery"]] {
            let ran = try promoctl.run(arguments)
            #expect(ran.code == 65)
            #expect(ran.error.contains("the id \"bookery\"; \"list\" shows those that are there"), "\(ran.error)")
        }
    }
}
