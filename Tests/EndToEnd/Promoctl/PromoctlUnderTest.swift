import Foundation
import PromoTestSupport

/// The built promoctl, run as a person or a script runs it.
struct PromoctlUnderTest {
    static let binary = DaemonUnderTest.program("promoctl")

    let environment: [String: String]
    /// Kept, because the daemon stops when this is released.
    private let daemon: DaemonUnderTest?

    /// A promoctl in the environment of a daemon that may or may not run.
    init(in scratch: ScratchDirectory, environment: [String: String] = [:]) {
        self.init(environment: Self.environment(in: scratch, environment), daemon: nil)
    }

    /// A promoctl for a running daemon.
    init(_ daemon: DaemonUnderTest, environment: [String: String] = [:]) {
        self.init(environment: Self.environment(in: daemon.scratch, environment), daemon: daemon)
    }

    private init(environment: [String: String], daemon: DaemonUnderTest?) {
        self.environment = environment
        self.daemon = daemon
    }

    private static func environment(in scratch: ScratchDirectory, _ more: [String: String]) -> [String: String] {
        ["TERM": "xterm-256color"].merging(DaemonUnderTest.environment(in: scratch)) { $1 }.merging(more) { $1 }
    }

    /// The same with other variables.
    func with(_ variables: [String: String]) -> PromoctlUnderTest {
        PromoctlUnderTest(environment: environment.merging(variables) { $1 }, daemon: daemon)
    }

    /// The same without a variable.
    func without(_ variable: String) -> PromoctlUnderTest {
        PromoctlUnderTest(environment: environment.filter { $0.key != variable }, daemon: daemon)
    }

    // MARK: Without a terminal

    /// Runs a command whose output goes to a file.
    func run(_ arguments: String...) throws -> Ran {
        try run(arguments)
    }

    /// Runs a command whose output goes to a file.
    func run(_ arguments: [String]) throws -> Ran {
        try Ran([Self.binary] + arguments, environment)
    }

    /// Runs a shell command line in which `promoctl` is the one under test.
    func shell(_ line: String) throws -> Ran {
        let function = "promoctl() { '\(Self.binary)' \"$@\"; }; "
        return try Ran(["/bin/sh", "-c", function + line], environment)
    }

    /// Starts a command without waiting for its end.
    func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess([Self.binary] + arguments, environment: environment)
    }

    // MARK: On a terminal

    /// Runs a command on a terminal, to its end.
    func draw(columns: Int, _ arguments: String...) throws -> Drawn {
        let terminal = try Pseudoterminal(columns: columns)
        let child = try terminal.start([Self.binary] + arguments, environment: environment)
        let text = terminal.read()
        return Drawn(code: Ran.code(child.wait()), text: text)
    }
}

/// A command's exit code and output.
struct Ran {
    /// The exit code; negative for a signal, or if the command did not end.
    let code: Int32
    let output: String
    let error: String

    /// Runs a program to its end.
    init(_ arguments: [String], _ environment: [String: String]) throws {
        let (end, output, error) = try ChildProcess.run(arguments, environment: environment)
        (code, self.output, self.error) = (Self.code(end), output, error)
    }

    static func code(_ end: ChildProcess.End) -> Int32 {
        switch end {
        case .exited(let code): code
        case .signalled(let number): -number
        case .overdue: -1000
        }
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    /// The result that `--json` printed, which must be one line, parsed by Foundation.
    var json: [String: Any] {
        get throws {
            guard lines.count == 1 else { throw TestFailure("this is not one line: \(output)") }
            return try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }
    }
}

/// The output of a command on a terminal.
struct Drawn {
    let code: Int32
    let text: String

    var screen: Screen { Screen(text) }
    var lines: [String] { screen.lines }
}

extension String {
    /// Whether the whole text matches a regular expression.
    func matches(_ pattern: String) -> Bool {
        range(of: "^(?:\(pattern))$", options: .regularExpression) != nil
    }
}

/// A regular expression for a time as promoctl prints it; the year is included if it is not the current one.
let shortTime = #"[0-9]{2} [A-Z][a-z]{2} ([0-9]{4} )?[0-9]{2}:[0-9]{2}"#
