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

    private let scratch: ScratchDirectory
    private let daemon: ScriptedDaemon
    private let promoctl: PromoctlUnderTest

    init() throws {
        let scratch = try ScratchDirectory()
        self.scratch = scratch
        let touch = "touch \(scratch("owned"))"
        let words =
            [
                "bookary", "$(\(touch))", "`\(touch)`", ";\(touch)", "${x:=$(\(touch))}", "<(\(touch))",
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
            {"name":"\(name)","file":null,"url":null,"state":"loaded","source":"sample","generation":null,"fetchedAt":null,\
            "expiresAt":null,"apps":1,"nextAt":null,"nextReason":"none","attempts":0,"failures":0,"lastAttemptAt":null,\
            "lastOutcome":null,"lastError":null,"refreshing":false}
            """
        }
        let list = """
            {"state":"loaded","source":"sample","generation":null,"fetchedAt":null,"expiresAt":null,"canRetry":false,\
            "retryAt":null,"hostKnown":null,"language":null,"apps":[\(apps.joined(separator: ","))]}
            """
        let status = """
            {"version":"1.2.3","protocol":1,"pid":1,"startedAt":"2026-11-21T01:09:00Z","epoch":"e","online":true,"problems":[],\
            "catalogs":[\(catalogs.joined(separator: ","))],"socket":{"path":"/s","connections":1,"subscribers":0},"requests":{}}
            """
        return { $0.method == "list" ? .result(list) : .result(status) }
    }

    private var isOwned: Bool { FileManager.default.fileExists(atPath: scratch("owned")) }

    @Test func aThousandWordsAtMostReachAShell() throws {
        daemon.answer(Self.naming((0..<1_500).map { "app-\($0)" }))
        for command in ["tap -- positional@0 0 0 a", "status -- --catalog 0 0 a"] {
            let completed = try promoctl.run(["---completion"] + command.split(separator: " ").map(String.init))
            #expect(completed.lines.count == 1_000)
        }
    }

    private func written(_ line: String) -> String {
        line.replacing("OWN", with: scratch("own")).replacing("HERE", with: scratch.path)
    }

    /// Types a line to a shell on a terminal of its own, and checks what it draws.
    private func expect(
        _ shell: [String], typing text: String, drawing added: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
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
    }

    @Test(arguments: lines) func bashOffersOnlyWellFormedWordsAndRunsNone(line: String, added: String?) throws {
        try scratch.write(
            "bashrc",
            """
            . '\(Self.scripts)/promoctl.bash'
            show-and-exit() { printf '[%s]' "$READLINE_LINE"; exit; }
            bind -x '"\\C-o": show-and-exit'
            """)
        let line = written(line)
        try expect(
            ["/bin/bash", "--noprofile", "--rcfile", scratch("bashrc"), "-i"], typing: line + "\t\u{0F}",
            drawing: added.map { "[\(line)\($0)]" })
    }

    @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"), arguments: lines)
    func zshOffersOnlyWellFormedWordsAndRunsNone(line: String, added: String?) throws {
        try scratch.write(
            ".zshrc",
            """
            fpath=('\(Self.scripts)' $fpath)
            autoload -U compinit
            compinit -u -D
            complete-and-exit() { zle complete-word; print -r -- "[$BUFFER]"; exit }
            zle -N complete-and-exit
            bindkey '^I' complete-and-exit
            """)
        let line = written(line)
        try expect(["/usr/bin/zsh", "-d", "-i"], typing: line + "\t", drawing: added.map { "[\(line)\($0)]" })
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
