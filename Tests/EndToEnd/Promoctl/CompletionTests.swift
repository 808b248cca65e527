import Foundation
import PromoTestSupport
import Testing

/// The completions of bash, zsh and fish, with a hostile listener in promod's place.
struct CompletionTests {
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("packaging/completions").path
    /// Lines, with what completes them; nil if that may be anything but a hostile word. `OWN` is a program that must not run, and
    /// `HERE` the directory of another, which is called promoctl.
    private static let lines: [(String, String?)] = [
        ("promoctl tap ", "bookary "), ("promoctl list --host ", "bookary "),
        ("promoctl status --catalog ", "bookary "), ("promoctl status --catalog=boo", "kary "),
        ("promoctl tap --catalog acme ", "acmebook "), ("promoctl tap --catalog=acme ", "acmebook "),
        ("promoctl list --catalog=acme --host=", "acmebook "), ("promoctl tap --open --catalog acme acm", "ebook "),
        ("promoctl review eligible --catalog 'acme' --completed 3 ", "acmebook "),
        ("promoctl events im", "pression "), ("promoctl review re", nil),
        ("promoctl tap --catalog $(OWN) ", "bookary "), ("promoctl tap --catalog `OWN` ", "bookary "),
        ("promoctl tap --catalog \"$(OWN)\" ", "bookary "), ("promoctl tap --catalog '`OWN`' ", "bookary "),
        ("promoctl tap --catalog '$(OWN)' ", "bookary "), ("promoctl tap --catalog ${x:=$(OWN)} ", "bookary "),
        ("promoctl tap --catalog 'x;OWN' ", "bookary "), ("promoctl tap --catalog * ", "bookary "),
        ("promoctl tap --catalog \\\" ", "bookary "), ("promoctl impression $(OWN) ", "bookary "),
        ("promoctl tap --catalog <(OWN) ", nil), ("promoctl tap --catalog -- ", nil), ("promoctl tap -rf ", nil),
        ("promoctl list --socket $(OWN) --host ", nil), ("promoctl $(OWN) ", nil), ("HERE/promoctl tap ", nil),
    ]

    /// What people set in their shell, with a line and what completes it then.
    private static let settings: [(String, String, String, String)] = [
        ("bash", "IFS=o", "promoctl sta", "tus "), ("bash", "IFS=", "promoctl review el", "igible "),
        ("bash", "readonly IFS", "promoctl list --unl", "aunched "), ("bash", "set -k", "promoctl tap bo", "okary "),
        ("bash", "set -eu -o pipefail", "promoctl events im", "pression "),
        ("bash", "shopt -s failglob localvar_inherit; set -o posix", "promoctl review eligible --comp", "leted "),
        ("bash", "COMP_WORDBREAKS=' '", "promoctl list --catalog=acme --host=", "acmebook "),
        ("bash", "PATH=/", "promoctl tap ", ""), ("zsh", "PATH=/", "promoctl tap ", ""),
        ("zsh", "emulate sh", "promoctl tap bo", "okary "), ("zsh", "emulate ksh; IFS=o", "promoctl sta", "tus "),
        ("zsh", "setopt ksharrays nounset shwordsplit noglob", "promoctl tap bo", "okary "),
    ]

    private let scratch: ScratchDirectory
    private let daemon: ScriptedDaemon
    private let promoctl: PromoctlUnderTest

    init() throws {
        let scratch = try ScratchDirectory()
        self.scratch = scratch
        let touch = "touch \(scratch("owned"))"
        let words =
            [
                "bookary", "--open", "$(\(touch))", "`\(touch)`", ";\(touch)", "${x:=$(\(touch))}", "<(\(touch))",
                "x\\n$(\(touch))",
                "x\\t\(touch)", "'\(touch)", "\\\"\(touch)", "\\\\\(touch)", "x:\(touch)", "*touch", "\\u202Etouch",
                "\\u001B]0;touch", "Touch", "", String(repeating: "touch", count: 60),
            ]
        try scratch.write("own", "#!/bin/sh\n\(touch)\n")
        try scratch.write("promoctl", "#!/bin/sh\n\(touch)\n")
        for program in ["own", "promoctl"] { chmod(scratch(program), 0o755) }
        daemon = try ScriptedDaemon { request in
            Self.naming(request.string("catalog") == "acme" ? ["acmebook", "$(\(touch))"] : words)(request)
        }
        let programs = URL(fileURLWithPath: PromoctlUnderTest.binary).deletingLastPathComponent().path
        promoctl = PromoctlUnderTest(
            in: scratch,
            environment: ["PROMOD_SOCKET": daemon.path, "PATH": "\(programs):/usr/bin:/bin", "ZDOTDIR": scratch.path])
    }

    /// Answers with these ids and names of catalogs, written as in JSON.
    private static func naming(_ words: [String]) -> ScriptedDaemon.Script {
        let apps = words.map { id in
            """
            {"id":"\(id)","name":"N","appStoreID":"1","iconURL":"https://a.example/i","category":"C",\
            "tagline":{"en":"T"},"storeURL":"https://apps.apple.com/app/id1"}
            """
        }
        let catalogs = words.map { name in
            """
            {"name":"\(name)","names":["\(name)"],"file":null,"fileID":null,"url":null,"state":"fresh","source":"sample","generation":null,"fetchedAt":null,\
            "expiresAt":null,"apps":1,"nextAt":null,"nextReason":"none","attempts":0,"failures":0,"lastAttemptAt":null,\
            "lastOutcome":null,"lastError":null,"refreshing":false}
            """
        }
        let list = """
            {"state":"fresh","source":"sample","generation":null,"fetchedAt":null,"expiresAt":null,"canRetry":false,\
            "retryAt":null,"hostKnown":null,"language":null,"apps":[\(apps.joined(separator: ","))]}
            """
        let status = """
            {"version":"1.2.3","protocol":1,"pid":1,"startedAt":"2026-11-21T01:09:00Z","startedBy":"service","epoch":"e","online":true,"problems":[],\
            "catalogs":[\(catalogs.joined(separator: ","))],"socket":{"path":"/s","connections":1,"subscribers":0},"requests":{}}
            """
        return { $0.method == "list" ? .result(list) : .result(status) }
    }

    private var isOwned: Bool { FileManager.default.fileExists(atPath: scratch("owned")) }

    @Test func aThousandWordsAtMostReachAShell() throws {
        daemon.answer(Self.naming((0..<1_500).map { "app-\($0)" }))
        for command in ["tap -- positional@0 0 0 a", "status -- --catalog 0 0 a"] {
            // On a busy machine the half second that a shell waits may end before promod's reply.
            #expect(
                try comes {
                    try promoctl.run(["---completion"] + command.split(separator: " ").map(String.init)).lines.count
                        == 1_000
                })
        }
    }

    /// What a program, which has no terminal, gets from a shell.
    @Test(arguments: [
        [
            "bash",
            "set -u; . %/promoctl.bash; COMP_WORDS=(promoctl tap '') COMP_CWORD=2; _promoctl; echo ${COMPREPLY-}",
        ],
        ["fish", "source %/promoctl.fish; complete -C 'promoctl tap '"],
        ["fish", "source %/promoctl.fish; complete -C '/opt/promoctl tap '"],
    ]) func aProgramIsAnsweredToo(call: [String]) throws {
        guard access("/usr/bin/\(call[0])", X_OK) == 0 else { return }
        let script = call[1].replacing("%", with: Self.scripts)
        func completed() throws -> Ran {
            Ran(try ChildProcess.run(["/usr/bin/\(call[0])", "-c", script], environment: promoctl.environment))
        }
        let answered = try completed()
        #expect(answered.lines == ["bookary"] && answered.error.isEmpty)
        daemon.answer { _ in .silence }
        let unanswered = try completed()
        #expect(unanswered.output.allSatisfy(\.isNewline) && unanswered.error.isEmpty)
        #expect(daemon.requests.count == 2)
    }

    private func written(_ line: String) -> String {
        line.replacing("OWN", with: scratch("own")).replacing("HERE", with: scratch.path)
    }

    /// Types a line to a shell on a terminal of its own, and checks what it draws.
    @discardableResult private func expect(
        _ shell: [String], typing text: String, drawing added: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let terminal = try Pseudoterminal(columns: 250)
        // A shell completes only on a controlling terminal.
        let child = try terminal.start(
            ["/usr/bin/setsid", "--ctty", "--wait"] + shell, environment: promoctl.environment)
        terminal.write(text)
        let drawn = terminal.read()
        #expect(child.wait() == .exited(0), sourceLocation: sourceLocation)
        if let added { #expect(drawn.contains(added), "\(drawn)", sourceLocation: sourceLocation) }
        #expect(!drawn.contains("ouch"), "\(drawn)", sourceLocation: sourceLocation)
        #expect(!isOwned, sourceLocation: sourceLocation)
        return drawn
    }

    @Test(arguments: lines) func bashOffersOnlyWellFormedWordsAndRunsNone(line: String, added: String?) throws {
        let line = written(line)
        try expect(try bash(), typing: line + "\t\u{0F}", drawing: added.map { "[\(line)\($0)]" })
    }

    /// A bash that draws its line and exits at ^O.
    private func bash(after setting: String = "") throws -> [String] {
        try scratch.write(
            "bashrc",
            """
            . '\(Self.scripts)/promoctl.bash'
            show-and-exit() { printf '[%s]' "$READLINE_LINE"; exit 0; }
            bind -x '"\\C-o": show-and-exit'
            \(setting)
            """)
        return ["/bin/bash", "--noprofile", "--rcfile", scratch("bashrc"), "-i"]
    }

    @Test(.enabled(if: Self.hasZsh, "zsh is not installed"), arguments: lines)
    func zshOffersOnlyWellFormedWordsAndRunsNone(line: String, added: String?) throws {
        let line = written(line)
        try expect(try zsh(), typing: line + "\t", drawing: added.map { "[\(line)\($0)]" })
    }

    /// A zsh that draws its line and exits at a TAB.
    private func zsh(after setting: String = "") throws -> [String] {
        try scratch.write(
            ".zshrc",
            """
            fpath=('\(Self.scripts)' $fpath)
            autoload -U compinit
            compinit -u -D
            complete-and-exit() { zle complete-word; print -r -- "[$BUFFER]"; exit 0 }
            zle -N complete-and-exit
            bindkey '^I' complete-and-exit
            \(setting)
            """)
        return ["/usr/bin/zsh", "-d", "-i"]
    }

    private static let hasZsh = access("/usr/bin/zsh", X_OK) == 0

    @Test(arguments: settings.filter { $0.0 == "bash" || hasZsh })
    func aShellCompletesWhateverItsSettings(shell: String, setting: String, line: String, added: String) throws {
        let argv = shell == "bash" ? try bash(after: setting) : try zsh(after: setting)
        let typed = line + (shell == "bash" ? "\t\u{0F}" : "\t")
        let drawn = try expect(argv, typing: typed, drawing: "[\(line)\(added)]")
        for complaint in ["bash:", "_promoctl:", "not found"] { #expect(!drawn.contains(complaint), "\(drawn)") }
    }

    @Test(.enabled(if: Self.hasZsh, "zsh is not installed")) func aLineIsAskedForOnceOnly() throws {
        daemon.answer { _ in .silence }
        let setting = "zstyle ':completion:*' completer _complete _ignored _approximate"
        try expect(try zsh(after: setting), typing: "promoctl tap x\t", drawing: "[promoctl tap x]")
        #expect(daemon.requests.count == 1)
    }

    @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0, "fish is not installed"), arguments: lines)
    func fishOffersOnlyWellFormedWordsAndRunsNone(line: String, added: String?) throws {
        let line = written(line)
        let quoted = line.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let word = added.flatMap { (line + $0).split(separator: " ").last.map(String.init) }
        try expect(
            ["/usr/bin/fish", "--no-config", "-C", "source '\(Self.scripts)/promoctl.fish'"],
            typing: "complete -C '\(quoted)'; exit\n", drawing: word.map { "\r\($0)" })
    }
}
