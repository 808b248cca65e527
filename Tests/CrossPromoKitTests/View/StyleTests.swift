import CrossPromoKit
import Testing

/// Styles and links as escape sequences.
struct StyleTests {
    private let coloured = Terminal(hasColor: true, hasLinks: true)

    @Test(
        arguments: [
            (.bold, "1"), (.dim, "2"), (.label, "36"), (.warning, "33"), (.good, "32"), (.bad, "31"),
            (.tile(24), "1;97;48;5;24"), (.tile(130), "1;97;48;5;130"),
        ] as [(Style, String)])
    func aStyleBeginsAndEnds(style: Style, parameters: String) {
        #expect(style.applied(to: "text", on: coloured) == "\u{1B}[\(parameters)mtext\u{1B}[0m")
    }

    @Test(arguments: [.plain, .bold, .tile(3)] as [Style])
    func withoutColoursOrTextThereAreNoSequences(style: Style) {
        #expect(style.applied(to: "text", on: Terminal(hasLinks: true)) == "text")
        #expect(style.applied(to: "", on: coloured) == "" && Style.plain.applied(to: "text", on: coloured) == "text")
    }

    @Test func aLinkStandsAroundItsText() {
        #expect(
            coloured.link("Bookary", to: "https://a.example/1?b=c#d")
                == "\u{1B}]8;;https://a.example/1?b=c#d\u{1B}\\Bookary\u{1B}]8;;\u{1B}\\")
    }

    @Test(arguments: [
        "https://a.example/\u{1B}\\x", "https://a.example/é", "https://a\u{7}b",
    ])
    func anAddressThatCouldEndALinkMakesNone(address: String) {
        #expect(coloured.link("Bookary", to: address) == "Bookary")
    }

    @Test func withoutLinksOrTextThereIsNoLink() {
        #expect(Terminal(hasColor: true).link("Bookary", to: "https://a.example") == "Bookary")
        #expect(coloured.link("", to: "https://a.example") == "")
    }
}
