import Foundation
import PromoTestSupport
import Testing

/// Catalogs whose texts would control a terminal.
struct PromoctlHostileTests {
    private let origin: NginxOrigin
    private let daemon: DaemonUnderTest
    private let promoctl: PromoctlUnderTest

    init() throws {
        origin = try NginxOrigin()
        try origin.publish(try CatalogText.of(CatalogText.hostile))
        daemon = try DaemonUnderTest.keeping(origin)
        promoctl = PromoctlUnderTest(daemon)
    }

    /// The control characters in a text, without line feeds.
    private func controls(in text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
    }

    /// promod takes the controls away, so even a client that prints what it reads is safe.
    @Test func aCatalogsControlsReachNoReplyListEventPageOrLog() throws {
        let clean = [
            ("Red[31m", "31mC1", "Clear[2J]0;owned, ]8;;https://evil.example\\here"), ("abcfed", "x", "rightleft"),
            ("Tab here", "New line", "one two three fourfivesix"),
        ]
        for language in ["en", "*"] {
            let reply = try daemon.ask("{\"method\":\"list\",\"language\":\"\(language)\"}")
            let apps = reply.result["apps"] as? [[String: Any]] ?? []
            for (app, texts) in zip(apps, clean) {
                let tagline = app["tagline"] as? String ?? (app["tagline"] as? [String: String])?["en"]
                #expect((app["name"] as? String, app["category"] as? String, tagline) == texts)
            }
            #expect(apps.count == CatalogText.hostile.count)
        }
        let list = try promoctl.shell("promoctl list | cat")
        #expect(
            list.lines
                == [
                    "[R3] Red[31m       31mC1     Clear[2J]0;owned, ]8;;https://evil.example\\here",
                    "[Ab] abcfed        x         rightleft",
                    "[Ta] Tab here      New line  one two three fourfivesix",
                    "[CZ\u{335}\u{336}] Cafe\u{301} Z\u{335}\u{336}a       e\u{301}         n\u{303}ame",
                    "[To] 🍅 Tomato     🇰🇷        ❤️ and 👨‍👩‍👧 and 🍅",
                    "[··] ★★★           ···       …",
                    "[日] 日本語アプリ  금융      모든 청구서를 제때에",
                ],
            "\(list.output)")
        let taglines = ["Clear", "right", "one", "n\u{303}", "❤️", "…", "모든"]
        let starts = zip(list.lines, taglines).map { line, tagline in
            String(line[..<(line.range(of: tagline)?.lowerBound ?? line.startIndex)])
        }
        #expect(Set(try ReferenceWidth.columns(starts)).count == 1)
        let subscriber = try Subscriber(daemon)
        let ids = CatalogText.hostile.map { "\"\($0.id)\"" }.joined(separator: ",")
        _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\(ids)]}")
        _ = try daemon.ask(#"{"method":"tap","app":"escapes"}"#)
        let events = (0...CatalogText.hostile.count).compactMap { _ in subscriber.line() }
        #expect(events.count == CatalogText.hostile.count + 1)
        let page = try promoctl.run("page")
        #expect(page.output.contains("Clear[2J]0;owned"))
        #expect(daemon.stop() == .exited(0))
        for text in [list.output, page.output, daemon.process.standardError] + events {
            #expect(controls(in: text) == [])
        }
    }

    @Test(arguments: [60, 120])
    func onATerminalNoCommandOfACatalogArrives(columns: Int) throws {
        let drawn = try promoctl.draw(columns: columns, "list")
        let screen = drawn.screen
        #expect(screen.others == [])
        #expect(screen.links.map(\.address) == (0..<7).map { "https://apps.apple.com/app/id\(1000 + $0)" })
        #expect(screen.links.map(\.text).contains("Red[31m"))
        let allowed = "0|1|2|31|32|33|36|1;97;48;5;[0-9]+"
        #expect(screen.styles.filter { !$0.matches(allowed) } == [])
        for (line, width) in zip(screen.lines, try ReferenceWidth.columns(screen.lines)) {
            #expect(width <= columns, "\(line)")
        }
        #expect(!drawn.text.contains("evil.example\u{1B}"))
    }

    @Test(arguments: [
        "promoctl list --limit", "promoctl list --WORD", "promoctl events", "promoctl page --output /tmp/WORD/x",
        "promoctl list --json --socket", "promoctl validate", "promod validate", "promod validate --json",
        "promod --WORD",
    ])
    func aMessageHoldsWhatItQuotesInAFewLines(line: String) throws {
        for word in [
            String(repeating: "x", count: 5_000), String(repeating: "a ", count: 4_000), "\u{1B}[31m\u{202E}x",
        ] {
            var words = line.split(separator: " ").map { String($0).replacing("WORD", with: word) }
            if !line.contains("WORD") { words.append(word) }
            let program = words[0] == "promod" ? DaemonUnderTest.binary : PromoctlUnderTest.binary
            let ran = try Ran([program] + words.dropFirst(), promoctl.environment)
            #expect(ran.code != 0)
            #expect(ran.error.hasSuffix("\n"))
            #expect(ran.error.split(separator: "\n").allSatisfy { $0.unicodeScalars.count < 1_000 }, "\(ran.error)")
            #expect(!ran.error.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            if line.contains("--json") { #expect((try? PromoctlError(ran.error)) != nil) }
        }
    }

    @Test func aBrokenCatalogsTextsReachNoTerminalRaw() throws {
        try origin.publish(
            try CatalogText.of(CatalogText.hostile, rules: ["wide": ["\u{1B}[31mghost\u{9B}2J\u{202E}\u{7F}"]]))
        let shown = "␛[31mghost�2J␡"
        let refresh = try daemon.fetching { try promoctl.run("refresh") }
        #expect(refresh.code == 75)
        #expect(refresh.error.contains(shown))
        let status = try promoctl.run("status")
        #expect(status.output.contains(shown))
        let json = try promoctl.run("status", "--json")
        let drawn = try promoctl.draw(columns: 60, "status")
        #expect(drawn.screen.others == [])
        for text in [refresh.output, refresh.error, status.output, status.error, json.output] {
            #expect(controls(in: text) == [])
        }
    }

    @Test func aListenersWordsReachNoTerminalRawAndNoFigureOfItsOwn() throws {
        let word = #"x\u001b[31m\u009b2J\u202e\"} 1\npromod_up{} 7"#
        let problem =
            #"{"code":"dns","subject":"\#(word)","text":"\#(word)","advice":"\#(word)","since":"2026-11-21T01:09:00Z","catalog":"\#(word)"}"#
        let catalog = #"""
            {"name":"\#(word)","names":["\#(word)"],"file":null,"fileID":null,"url":"\#(word)","state":"empty","source":"none","generation":null,"fetchedAt":null,\#
            "expiresAt":null,"apps":0,"nextAt":null,"nextReason":"none","attempts":0,"failures":0,"lastAttemptAt":null,\#
            "lastOutcome":null,"lastError":null,"refreshing":false}
            """#
        let status = #"""
            {"version":"\#(word)","protocol":1,"pid":1,"startedAt":"2026-11-21T01:09:00Z","startedBy":"service","epoch":"e","online":false,\#
            "problems":[\#(problem)],"catalogs":[\#(catalog)],"socket":{"path":"\#(word)","connections":1,"subscribers":0},\#
            "requests":{"\#(word)":1}}
            """#
        let daemon = try ScriptedDaemon { request in
            request.method == "status"
                ? .result(status)
                : .result(#"{"outcome":"failed","generation":null,"error":null,"retryAt":null}"#)
        }
        let listened = PromoctlUnderTest(
            in: try ScratchDirectory(), environment: ["PROMOD_SOCKET": daemon.path])
        for command in ["status", "check", "doctor", "metrics"] {
            let ran = try listened.run(command)
            #expect(ran.output.contains("x␛[31m"), "\(command): \(ran)")
            #expect(controls(in: ran.output + ran.error) == [], "\(command)")
        }
        let metrics = try listened.run("metrics")
        #expect(metrics.lines.filter { $0.hasPrefix("promod_up") }.count == 1)
        #expect(metrics.output.contains(#"\"} 1"#))
        for command in ["status", "check", "doctor"] {
            #expect(try !listened.run(command, "--json").json.isEmpty)
        }
    }
}
