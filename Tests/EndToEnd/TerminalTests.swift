import Foundation
import PromoTestSupport
import Testing

/// Whatever ends or stops a program with the view, its terminal is as it was.
@Suite(.timeLimit(.minutes(5))) struct TerminalTests {
    private static let example = DaemonUnderTest.program("more-apps-example")
    private static let probe = DaemonUnderTest.program("LibraryProbe")
    private static let (enter, leave) = ("\u{1B}[?1049h\u{1B}[?25l", "\u{1B}[?25h\u{1B}[?1049l")

    private let daemon: DaemonUnderTest
    private let terminal: Pseudoterminal
    private let settings: String

    init() throws {
        daemon = try DaemonUnderTest()
        terminal = try Pseudoterminal(columns: 80)
        settings = terminal.settings
    }

    private var environment: [String: String] {
        // Swift's own handler of crashes would begin a dialogue on a terminal.
        let more = ["TERM": "xterm", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        return DaemonUnderTest.environment(in: daemon.scratch).merging(more) { $1 }
    }

    /// Starts a program with the view, which has taken the terminal when this returns.
    private func start(_ program: String = example, _ words: String...) throws -> ChildProcess {
        let program = try terminal.start([program] + words, environment: environment)
        #expect(terminal.read(until: "FinePomo").contains(Self.enter))
        #expect(terminal.settings != settings)
        return program
    }

    /// The program has left the terminal as it was before.
    private func expectRestored(_ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(drawn.hasSuffix(Self.leave), sourceLocation: sourceLocation)
        #expect(terminal.settings == settings, sourceLocation: sourceLocation)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV])
    func afterASignal(_ number: Int32) throws {
        let program = try start()
        program.signal(number)
        expectRestored(terminal.read())
        #expect(program.wait() == .signalled(number))
    }

    @Test(
        arguments: [("exit", [.exited(3)]), ("crash", [.signalled(SIGILL), .signalled(SIGTRAP)])]
            as [(String, [ChildProcess.End])])
    func afterTheHostAppHasEndedItself(how: String, ends: [ChildProcess.End]) throws {
        let program = try terminal.start([Self.probe, how], environment: environment)
        expectRestored(terminal.read())
        #expect(ends.contains(program.wait()))
    }

    @Test(arguments: ["q", "\u{1B}", "\u{3}", "ㅂ"])
    func afterAKeyThatLeaves(_ key: String) throws {
        let program = try start()
        terminal.write(key)
        expectRestored(terminal.read())
        #expect(program.wait() == .exited(0))
    }

    @Test func whileItIsStoppedAndItsContinuationDrawsAllAgain() throws {
        let shell = try terminal.startSession(
            ["bash", "-mc", #""$0"; echo; echo stopped; read -r; fg; echo; echo ended"#, Self.example],
            environment: environment)
        #expect(terminal.read(until: "FinePomo").contains(Self.enter))
        terminal.write("\u{1A}")
        #expect(terminal.read(until: "stopped\r\n").contains(Self.leave))
        #expect(terminal.settings == settings)
        terminal.write("\n")
        let again = terminal.read(until: "FinePomo")
        for part in [Self.enter, "Bookary"] { #expect(again.contains(part)) }
        #expect(terminal.settings != settings)
        terminal.write("q")
        #expect(terminal.read(until: "ended").contains(Self.leave))
        #expect(terminal.settings == settings)
        #expect(shell.wait() == .exited(0))
    }

    @Test func aPromodThatHangsKeepsNobody() throws {
        let program = try start()
        daemon.process.signal(SIGSTOP)
        defer { daemon.process.signal(SIGCONT) }
        terminal.write("r")
        #expect(terminal.read(until: "Loading…").contains("Loading…"))
        let duration = ContinuousClock().measure {
            terminal.write("q")
            expectRestored(terminal.read())
            #expect(program.wait() == .exited(0))
        }
        // A fetch may take two minutes.
        #expect(duration < .seconds(20))
    }

    /// Without an option of the host app. A terminal that does not say so has the placeholders.
    @Test(arguments: [[probe, "show"], [example]])
    func aTerminalThatDrawsPicturesHasThem(program: [String]) throws {
        let environment = environment.merging(["TERM": "xterm-kitty"]) { $1 }
        let program = try terminal.startSession(program, environment: environment)
        _ = terminal.read(until: "\u{1B}_Gi=31,")
        terminal.write("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c")
        #expect(terminal.read(until: "\u{1B}_Ga=T").contains("\u{1B}_Ga=T"))
        program.signal(SIGKILL)
    }

    /// As where a container has the machine's terminal, but not its files.
    @Test func aTerminalWithoutANameIsNotAskedAndHasNone() throws {
        let environment = environment.merging(["TERM": "xterm-kitty"]) { $1 }
        let hidden = #"mount -t tmpfs tmpfs /dev/pts && exec "$0" show"#
        let program = try terminal.startSession(
            ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", hidden, Self.probe],
            environment: environment)
        let drawn = terminal.read(until: "FinePomo")
        #expect(drawn.contains("FinePomo"))
        #expect(!drawn.contains("\u{1B}_G"))
        program.signal(SIGKILL)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func afterASignalWhileItIsAskedForPictures(_ number: Int32) throws {
        let environment = environment.merging(["TERM": "xterm-kitty"]) { $1 }
        let shell = try terminal.startSession([Self.example], environment: environment)
        _ = terminal.read(until: "\u{1B}_Gi=31,")
        #expect(terminal.settings != settings)
        // setsid(1) is the program's parent, or has become it.
        let program = shell.children.first ?? shell.pid
        if number == SIGINT { terminal.write("\u{3}") } else { kill(program, number) }
        _ = terminal.read()
        #expect(terminal.settings == settings)
        #expect(shell.wait() != .exited(0))
    }

    @Test func aHandlerOfTheHostAppRunsOnItsOwnScreenAndIsThereAfterwards() throws {
        let program = try start(Self.probe, "handler")
        program.signal(SIGTERM)
        let drawn = terminal.read(until: "handled\r\n\(Self.enter)")
        // A drawing that had begun may end in between.
        for part in [Self.leave, "handled\r\n\(Self.enter)"] { #expect(drawn.contains(part)) }
        terminal.write("q")
        #expect(terminal.read(until: "same true").contains(Self.leave))
        program.signal(SIGKILL)
        #expect(program.wait() == .signalled(SIGKILL))
        #expect(terminal.settings == settings)
    }
}
