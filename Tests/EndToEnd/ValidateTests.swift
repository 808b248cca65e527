import Foundation
import PromoCore
import PromoTestSupport
import Testing

/// `promod validate`, and `promoctl validate`, which does the same.
struct ValidateTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    /// Runs one of the two programs on a catalog.
    private func validate(_ program: String, _ text: String, _ options: [String] = []) throws -> Ran {
        try scratch.write("c.json", text)
        return try run([program, "validate"] + options + [scratch("c.json")])
    }

    private func run(_ arguments: [String]) throws -> Ran {
        try Ran(arguments, DaemonUnderTest.environment(in: scratch))
    }

    private static let programs = [DaemonUnderTest.binary, PromoctlUnderTest.binary]
    /// The seeds' catalog: no app has a page for Linux.
    private static let plain = SampleFile.text.split(separator: "\n").filter { !$0.contains("URLs") }.joined(
        separator: "\n"
    )
    .replacingOccurrences(of: "},\n    }", with: "}\n    }")
    private static let slip = SampleFile.text.replacingOccurrences(of: "\"littory\": []", with: "\"litory\": []")

    /// A text, the options, the exit code, the number of lines, and the beginning of the first line or the end of the last.
    private static let texts: [(text: String, options: [String], code: Int32, lines: Int, words: String)] = [
        (SampleFile.text, [], 0, 1, "c.json: good, 5 apps, 2 rules, generation "),
        (SampleFile.text, ["--strict"], 0, 1, "c.json: good, 5 apps, 2 rules, generation "),
        (slip, [], 0, 2, "c.json:56:5: warning: /promoRules/litory: "), (slip, ["--strict"], 1, 2, ", 1 warning\n"),
        (
            insecure(SampleFile.text), [], 65, 6,
            "c.json:47:18: error: /apps/4/iconURL: \"iconURL\" must be an https address"
        ), (insecure(slip), ["--strict"], 65, 7, "c.json:47:18: error: "),
        (insecure(slip), [], 65, 7, ": 5 errors, 1 warning\n"),
        (plain, ["--strict"], 0, 2, ": note: /apps/0/storeURLs: "), (plain, [], 0, 2, ", 1 note\n"),
        ("{\n  \"apps\": [,]\n}", [], 65, 2, "c.json:2:12: error: not strict JSON: "),
    ]

    private static func insecure(_ text: String) -> String {
        text.replacingOccurrences(of: "\"iconURL\": \"https:", with: "\"iconURL\": \"http:")
    }

    @Test(arguments: texts.indices) func bothProgramsSayTheSameOfACatalog(index: Int) throws {
        let (text, options, code, lines, words) = Self.texts[index]
        for program in Self.programs {
            let ran = try validate(program, text, options)
            #expect((ran.code, ran.lines.count, ran.error) == (code, lines, ""))
            #expect(ran.output.contains(words), "\(ran.output)")
            let kinds = ran.lines.compactMap { line in
                ["error", "warning", "note"].firstIndex { line.contains(": \($0): ") }
            }
            #expect(kinds == kinds.sorted(), "errors come first")
        }
    }

    @Test(arguments: [
        "validate --json catalog.json", "validate catalog.json", "--print-configuration", "--catalog-file catalog.json",
    ])
    func outputThatCannotBeWrittenIsAnError(arguments: String) throws {
        try scratch.write("catalog.json", SampleFile.text)
        let ran = try run([
            "/bin/sh", "-c", "cd '\(scratch.path)' && '\(DaemonUnderTest.binary)' \(arguments) >/dev/full",
        ])
        #expect(ran.code == 74)
        #expect(ran.error.contains("output cannot be written"))
    }

    @Test(arguments: programs)
    func jsonForTerminalsHasNoRawControlsAndIsTheSameTextToPrograms(program: String) throws {
        let marks = "\u{80}\u{9B}31m\u{61C}\u{200E}\u{202E}\u{2028}\u{2066}\u{FEFF}\u{7F}"
        let text = SampleFile.text.replacingOccurrences(of: "\"littory\": []", with: "\"lit\(marks)\": 0")
        let ran = try validate(program, text, ["--json"])
        for escape in ["\\u009b31m", "\\ufeff"] { #expect(ran.output.contains(escape)) }
        #expect(Set(marks.unicodeScalars.filter { $0.value > 0x7E }).isDisjoint(with: ran.output.unicodeScalars))
        let jq = try ChildProcess.run(["jq", "-r", "[.. | strings] | join(\" \")"], input: ran.output)
        #expect(jq.output.contains(marks), "jq reads another text back")
    }

    @Test func whatTheCatalogSaysDoesNotCommandTheTerminalAndControlsAreNamed() throws {
        let ran = try validate(
            DaemonUnderTest.binary, #"{"apps":[],"promoRules":{"\u001b[31m\u0007\n\u202e":1,"\u001b":[]}}"#)
        #expect(ran.lines.count == 5, "\(ran.output)")
        #expect(ran.output.unicodeScalars.allSatisfy { ![0x1B, 0x07, 0x202E].contains($0.value) })
        let named = try validate(
            DaemonUnderTest.binary,
            SampleFile.text.replacingOccurrences(
                of: "FineBill", with: "Fine\\u001b\\r\\nB\\u0000\\u0007\\u202e\\u009bill"))
        #expect(named.code == 0)
        #expect(named.lines.first?.hasSuffix(": U+0000, U+0007, U+000A, U+000D, U+001B, U+009B, U+202E.") == true)
    }

    @Test(arguments: programs)
    func aFileMayHaveANameLikeAnOptionOrASubcommand(program: String) throws {
        for name in ["-x", "--strict", "help"] {
            let script = "cd \"$1\" && printf {} >./\"$3\" && exec \"$2\" validate -- \"$3\""
            let ran = try run(["/bin/sh", "-c", script, "sh", scratch.path, program, name])
            #expect(ran.code == 65, "\(ran.error)")
            #expect(ran.output.hasPrefix("\(name):1:1: error: /apps: "))
        }
    }

    @Test(arguments: programs)
    func anAddressIsFetchedWithItsIcons(program: String) throws {
        let origin = try NginxOrigin()
        try origin.publish(
            Self.slip.replacingOccurrences(of: "https://example.com/?icon=", with: "https://localhost:\(origin.port)/"))
        let icons = [
            "finebill": Pictures.png, "bookary": Pictures.png.dropLast(), "finepomo": Array("GIF89a".utf8),
            "stedio": Pictures.png + [UInt8](repeating: 0, count: IconBook.maximumSize),
        ]
        for (name, bytes) in icons { try Data(bytes).write(to: URL(filePath: origin.scratch("www/\(name)"))) }
        let trusted = ["--ca-file", origin.caFile]
        let ran = try run([program, "validate", "--strict", "\(origin.url)?token=hunter2"] + trusted)
        #expect((ran.code, ran.error) == (1, ""))
        #expect(!(ran.output + ran.error).contains("hunter2"))
        let expected = [
            "56:5: warning: /promoRules/litory: ",
            "17:18: warning: /apps/1/iconURL: https://localhost:\(origin.port)/bookary is incomplete",
            "finepomo is neither a PNG", "stedio is larger than \(IconBook.maximumSize / 1024) KiB",
            "littory answers 404", ": good, 5 apps",
        ]
        #expect(ran.lines.count == expected.count, "\(ran.output)")
        for (line, text) in zip(ran.lines, expected) { #expect(line.contains(text), "\(line)") }
        for (argument, code, words) in [
            ("https://localhost:\(origin.port)/none.json", 65, "404"),
            ("https://localhost:1/c.json", 75, "Cannot connect"), (scratch("none.json"), 66, "none.json"),
            ("http://user:hunter2@example.com/c.json", 64, "example.com"),
        ] as [(String, Int32, String)] {
            let refused = try run([program, "validate", argument] + trusted)
            #expect((refused.code, refused.output) == (code, ""), "\(refused)")
            #expect(refused.error.contains(words))
            #expect(!refused.error.contains("hunter2"))
        }
    }

    @Test(arguments: programs)
    func withoutAnArgumentTheStandardInputIsReadUnlessItIsATerminal(program: String) throws {
        try scratch.write("c.json", SampleFile.text)
        let piped = try run(["/bin/sh", "-c", "\"$0\" validate --strict <'\(scratch("c.json"))'", program])
        #expect((piped.code, piped.error) == (0, ""))
        #expect(piped.output.hasPrefix("standard input: good, 5 apps"))
        let terminal = try Pseudoterminal(columns: 200)
        let child = try terminal.start([program, "validate"], environment: DaemonUnderTest.environment(in: scratch))
        #expect(terminal.read().contains("The catalog is missing: "))
        #expect(child.wait() == .exited(64))
    }
}
