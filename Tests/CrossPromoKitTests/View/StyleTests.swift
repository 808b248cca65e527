import CrossPromoKit
import Testing

/// Styles and links as escape sequences.
struct StyleTests {
    private let coloured = Terminal(hasColor: true, hasLinks: true)

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
