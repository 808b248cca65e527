import Foundation
import PromoTestSupport
import Testing

/// The completions of bash, zsh and fish, with a hostile listener in promod's place.
struct CompletionTests {
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("packaging/completions").path
    private static let lines = ["promoctl tap ", "promoctl list --host ", "promoctl status --catalog "]

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
        daemon = try ScriptedDaemon(Self.naming(words))
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
        let state = """
            "state":"loaded","source":"sample","generation":null,"apps":1,"fetchedAt":null,\
            "expiresAt":null,"cache":{"path":"/c","stored":true},"refresh":{"url":null,"activity":"idle","nextAt":null,\
            "reason":"none","attempt":0,"lastAttemptAt":null,"lastOutcome":null,"lastError":null}
            """
        let catalogs = words.map { "{\"name\":\"\($0)\",\"file\":null,\"error\":null,\(state)}" }
        let list = """
            {"state":"loaded","source":"sample","generation":null,"fetchedAt":null,"expiresAt":null,"canRetry":false,\
            "retryAt":null,"hostKnown":null,"language":null,"apps":[\(apps.joined(separator: ","))]}
            """
        let status = """
            {"version":"1.2.3","protocol":1,"epoch":"e","pid":1,"startedAt":"2026-11-21T01:09:00Z",\(state),\
            "online":true,"socket":{"path":"/s","connections":1,"subscribers":0,"refused":0},\
            "queries":{"list":1,"errors":0},"configuration":{"file":null,"error":null,"ignored":[]},\
            "catalogs":[\(catalogs.joined(separator: ","))]}
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

    @Test(arguments: lines) func bashOffersOnlyWellFormedWordsAndRunsNone(line: String) throws {
        let script = """
            . '\(Self.scripts)/promoctl.bash'
            COMP_LINE=$1 COMP_POINT=${#1}
            read -ra COMP_WORDS <<<"$1"
            COMP_CWORD=${#COMP_WORDS[@]}
            COMP_WORDS+=('')
            _promoctl promoctl '' "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try ChildProcess.run(
            ["/bin/bash", "-c", script, "bash", line], environment: promoctl.environment)
        #expect(bash.output == "bookary\n", "\(bash)")
        #expect(!isOwned)
    }

    @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"), arguments: lines)
    func zshOffersOnlyWellFormedWordsAndRunsNone(line: String) throws {
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
        let terminal = try Pseudoterminal(columns: 200)
        let zsh = try terminal.start(["/usr/bin/zsh", "-d", "-i"], environment: promoctl.environment)
        terminal.write(line + "\t")
        let drawn = terminal.read()
        #expect(zsh.wait() == .exited(0))
        #expect(drawn.contains("[\(line)bookary ]"), "\(drawn)")
        #expect(!isOwned)
    }

    @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0, "fish is not installed"), arguments: lines)
    func fishOffersOnlyWellFormedWordsAndRunsNone(line: String) throws {
        let terminal = try Pseudoterminal(columns: 200)
        // fish completes only on a controlling terminal.
        let fish = try terminal.start(
            [
                "/usr/bin/setsid", "--ctty", "/usr/bin/fish", "--no-config", "-C",
                "source '\(Self.scripts)/promoctl.fish'",
            ],
            environment: promoctl.environment)
        terminal.write("complete -C '\(line)'; exit\n")
        let drawn = terminal.read()
        #expect(fish.wait() == .exited(0))
        #expect(drawn.contains("bookary"), "\(drawn)")
        #expect(!drawn.contains("ouch"), "\(drawn)")
        #expect(!isOwned)
    }
}
