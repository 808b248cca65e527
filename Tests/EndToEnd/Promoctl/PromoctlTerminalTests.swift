import Foundation
import PromoTestSupport
import Testing

/// `promoctl list` on terminals.
struct PromoctlTerminalTests {
    private func expectFit(
        _ drawn: Drawn, columns: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let lines = drawn.lines
        for (line, width) in zip(lines, try ReferenceWidth.columns(lines)) {
            #expect(width <= columns, "\(line)", sourceLocation: sourceLocation)
        }
        #expect(drawn.screen.others == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [60, 68, 69, 120])
    func theSampleFitsWithIDsWhereThereIsRoomAndTheSampleIsNamedUnderIt(columns: Int) throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(columns: columns, "list")
        try expectFit(drawn, columns: columns)
        let hasIDs = columns >= 69
        #expect(
            drawn.lines.prefix(6) == [
                " FB  FineBill  \(hasIDs ? "finebill  " : "")Finance       Every bill, paid on time",
                " Bo  Bookary   \(hasIDs ? "bookary   " : "")Reading       A diary for the books you read",
                " FP  FinePomo  \(hasIDs ? "finepomo  " : "")Productivity  Focus, one tomato at a time",
                " St  Stedio    \(hasIDs ? "stedio    " : "")Education     Your steady study studio",
                " Li  Littory   \(hasIDs ? "littory   " : "")Lifestyle     Little stories, kept",
                "",
            ])
        #expect(drawn.lines.dropFirst(6).joined(separator: " ") + "\n" == PromoctlListTests.sampleNote)
        #expect(drawn.code == 0)
    }

    @Test(arguments: [
        ("ko_KR.UTF-8", 60, " Bo  Bookary   Reading       읽은 책을 위한 다이어리"),
        ("ko_KR.UTF-8", 52, " Bo  Bookary   Reading     읽은 책을 위한 다이어리"),
        ("ja_JP.UTF-8", 60, " FB  FineBill  Finance       すべての請求を期日どおりに"),
        ("ja_JP.UTF-8", 54, " FB  FineBill  Finance     すべての請求を期日どおりに"),
    ])
    func wideLettersTakeTwoColumns(locale: String, columns: Int, row: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["LANG": locale])
        let drawn = try promoctl.draw(columns: columns, "list")
        try expectFit(drawn, columns: columns)
        #expect(drawn.lines.contains(row), "\(drawn.lines)")
    }

    @Test func aTaglineThatDoesNotFitIsCutAtAColumnAndNotThroughALetter() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["LANG": "ja_JP.UTF-8"])
        let drawn = try promoctl.draw(columns: 50, "list", "--host", "bookary", "--limit", "1")
        try expectFit(drawn, columns: 50)
        // 5 columns for the icon, 8 for the name, 7 for the category, and 26 for a tagline of 26.
        #expect(drawn.lines.first == " FB  FineBill  Finance  すべての請求を期日どおりに")
        let narrower = try promoctl.draw(columns: 49, "list", "--host", "bookary", "--limit", "1")
        try expectFit(narrower, columns: 49)
        // 25 columns: twelve wide letters and the ellipsis.
        #expect(narrower.lines.first == " FB  FineBill  Finance  すべての請求を期日どおり…")
        let odd = try promoctl.draw(columns: 48, "list", "--host", "bookary", "--limit", "1")
        // 24 columns: a thirteenth half letter does not fit, so one column stays empty.
        #expect(odd.lines.first == " FB  FineBill  Finance  すべての請求を期日どお…")
    }

    @Test func onANarrowTerminalTheTaglineHasALineOfItsOwn() throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(columns: 40, "list", "--limit", "2")
        try expectFit(drawn, columns: 40)
        #expect(
            drawn.lines.prefix(4) == [
                " FB  FineBill  Finance", "     Every bill, paid on time", " Bo  Bookary   Reading",
                "     A diary for the books you read",
            ], "\(drawn.lines)")
    }

    @Test(arguments: [20, 33, 60, 120])
    func endlessWordsAreCutToTheTerminal(columns: Int) throws {
        let origin = try NginxOrigin()
        try origin.publish(try CatalogText.of(CatalogText.endless))
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin))
        let drawn = try promoctl.draw(columns: columns, "list")
        try expectFit(drawn, columns: columns)
        #expect(drawn.lines.contains { $0.contains("WW…") })
        #expect(drawn.lines.contains { $0.contains("가가…") })
        #expect(drawn.lines.contains { $0.contains("🍅…") })
    }

    @Test func theNamesAreLinkedToTheStore() throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(columns: 80, "list", "--limit", "2")
        #expect(
            drawn.screen.links == [
                .init("FineBill", "https://example.com/?app=finebill"),
                .init("Bookary", "https://example.com/?app=bookary"),
            ])
    }

    @Test(arguments: ["linux", "dumb", "", "vt100"])
    func aTerminalThatWouldPrintLinksGetsNone(kind: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["TERM": kind])
        let drawn = try promoctl.draw(columns: 80, "list")
        #expect(drawn.screen.links == [])
        #expect(!drawn.text.contains("example.com"))
    }

    @Test func coloursAreForTerminalsAlone() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let drawn = try promoctl.draw(columns: 80, "list", "--limit", "1")
        #expect(drawn.text.contains("\u{1B}[1mFineBill\u{1B}[0m"))
        #expect(drawn.text.contains("\u{1B}[36mFinance\u{1B}[0m"))
        #expect(drawn.text.contains("\u{1B}[2mThese are the made-up"))
        #expect(drawn.screen.styles.contains { $0.matches("1;97;48;5;[0-9]+") })
        for command in ["list", "status", "doctor"] {
            #expect(try !promoctl.run(command).output.contains("\u{1B}"))
        }
    }

    @Test(arguments: ["list", "status", "doctor"])
    func withoutColoursATerminalGetsNone(command: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        #expect(try !promoctl.draw(columns: 80, command).screen.styles.isEmpty)
        #expect(try !promoctl.with(["NO_COLOR": ""]).draw(columns: 80, command).screen.styles.isEmpty)
        let plain = try promoctl.with(["NO_COLOR": "1"]).draw(columns: 80, command)
        #expect(plain.screen.styles == [])
        #expect(plain.screen.others == [])
        let dumb = try promoctl.with(["TERM": "dumb"]).draw(columns: 80, command)
        #expect(!dumb.text.contains("\u{1B}"))
        let unknown = try promoctl.without("TERM").draw(columns: 80, command)
        #expect(!unknown.text.contains("\u{1B}"))
    }

    @Test func withoutColoursTheLinksStayAndTheIconsAreInBrackets() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["NO_COLOR": "1"])
        let drawn = try promoctl.draw(columns: 80, "list", "--limit", "1")
        #expect(drawn.lines.first == "[FB] FineBill  finebill  Finance  Every bill, paid on time")
        #expect(drawn.screen.links == [.init("FineBill", "https://example.com/?app=finebill")])
    }

    @Test func aTerminalOfUnknownSizeIsAsWideAsTheEnvironmentSays() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["COLUMNS": "48", "LANG": "ja"])
        let drawn = try promoctl.draw(columns: 0, "list", "--limit", "1")
        try expectFit(drawn, columns: 48)
        #expect(drawn.lines.first == " FB  FineBill  Finance  すべての請求を期日どお…")
        let unsaid = try promoctl.without("COLUMNS").draw(columns: 0, "list", "--limit", "1")
        try expectFit(unsaid, columns: 80)
    }

    @Test func onATerminalAnUnknownHostStandsAboveTheRowsAndWhatElseIsToBeSaidBelow() throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(
            columns: 60, "list", "--host", "finbil", "--limit", "1")
        #expect(drawn.lines.first?.contains("the id \"finbil\"") == true)
        #expect(
            drawn.lines.dropFirst().prefix(2) == [" FB  FineBill  finebill  Finance  Every bill, paid on time", ""])
        #expect(drawn.lines.dropFirst(3).joined(separator: " ") + "\n" == PromoctlListTests.sampleNote)
    }

    // MARK: Pictures

    /// Runs `promoctl list` with the terminal as its controlling one, as a shell does.
    private func drawControlled(
        _ promoctl: PromoctlUnderTest, answer: String? = nil
    ) throws -> String {
        let terminal = try Pseudoterminal(columns: 80)
        let child = try terminal.start(
            ["/usr/bin/setsid", "--ctty", "--wait", PromoctlUnderTest.binary, "list"],
            environment: promoctl.environment)
        var drawn = ""
        if let answer {
            drawn = terminal.read(until: Self.question)
            terminal.write(answer)
        }
        drawn += terminal.read()
        #expect(child.wait() == .exited(0))
        return drawn
    }

    private static let question = "\u{1B}_Gi=31,"

    @Test func aTerminalThatIsNamedAsOneThatDrawsPicturesIsAskedOnceAndNeedNotReply() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["TERM": "xterm-kitty"])
        let begin = ContinuousClock.now
        let drawn = try drawControlled(promoctl)
        // 0.2 s, and what a busy machine adds.
        #expect(ContinuousClock.now - begin < .seconds(1.5))
        #expect(drawn.components(separatedBy: Self.question).count == 2)
        #expect(drawn.contains("FineBill") && !drawn.contains("\u{1B}_Ga=T"))
    }

    @Test func aTerminalThatSaysSoHasPictures() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["TERM": "xterm-kitty"])
        // On a busy machine, a reply or the pictures may come too late.
        #expect(
            try comes {
                let drawn = try drawControlled(promoctl, answer: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c")
                return drawn.components(separatedBy: "\u{1B}_Ga=T").count == 6
            })
    }

    @Test(arguments: [
        [:], ["NO_COLOR": "1", "TERM": "xterm-kitty"], ["SSH_CONNECTION": "x", "TERM": "xterm-kitty"],
        ["TMUX": "x", "KITTY_WINDOW_ID": "1"],
    ])
    func otherTerminalsAreNotAsked(environment: [String: String]) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: environment)
        #expect(try !drawControlled(promoctl).contains(Self.question))
    }

    @Test func aPipeIsNotAsked() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["TERM": "xterm-kitty"])
        #expect(try !promoctl.run("list").output.contains("\u{1B}"))
    }
}
