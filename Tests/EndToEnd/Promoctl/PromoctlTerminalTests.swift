import Foundation
import PromoTestSupport
import Testing

/// `promoctl list` on terminals.
struct PromoctlTerminalTests {
    private static let sampleNote = "These apps are made up, to show what this list looks like."

    /// What is said of the sample stands below, and what is said of a host above.
    @Test(arguments: [60, 120]) func theSampleIsNamedUnderItsRows(columns: Int) throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(
            columns: columns, "list", "--host", "finbil", "--limit", "1")
        let above = drawn.lines.prefix { !$0.hasPrefix(" FB  FineBill  ") }
        #expect(above.first?.contains("the id \"finbil\"") == true)
        #expect(drawn.lines[above.count + 1] == "")
        #expect(drawn.lines.dropFirst(above.count + 2).joined(separator: " ") == Self.sampleNote)
        #expect(drawn.code == 0)
    }

    @Test func theNamesAreLinkedToTheStoreWhereATerminalDoesNotPrintThat() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        for colours in [[:], ["NO_COLOR": "1"]] {
            let drawn = try promoctl.with(colours).draw(columns: 80, "list", "--limit", "1")
            #expect(drawn.screen.links == [.init("FineBill", "https://example.com/?app=finebill")])
        }
        for kind in ["linux", "dumb", "", "vt100"] {
            #expect(try !promoctl.with(["TERM": kind]).draw(columns: 80, "list").text.contains("example.com"))
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

    @Test func onATerminalTheWaitForTheFirstFetchIsShownAndLeavesNothingBehind() throws {
        let origin = try NginxOrigin(
            locations: "location = /slow.json { gzip off; limit_rate 2k; try_files /catalog.json =404; }")
        try origin.publish(SampleFile.text + String(repeating: " ", count: 2000))
        let daemon = try DaemonUnderTest(settings: [
            "catalog-url": "https://localhost:\(origin.port)/slow.json", "network.ca-file": origin.caFile,
        ])
        #expect(try comes { try daemon.catalog()["refreshing"] as? Bool == true })
        let drawn = try PromoctlUnderTest(daemon).draw(columns: 80, "list")
        #expect(drawn.text.contains("The first fetch is under way…"))
        #expect(drawn.lines.map { $0.contains("FineBill") } == [true, false, false, false, false])
        #expect(drawn.screen.others == [])
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
        let drawn = try drawControlled(promoctl)
        #expect(drawn.components(separatedBy: Self.question).count == 2)
        #expect(drawn.contains("FineBill"))
        #expect(!drawn.contains("\u{1B}_Ga=T"))
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
}
