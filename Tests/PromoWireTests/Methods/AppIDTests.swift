import PromoWire
import Testing

/// The rule for an app's id.
struct AppIDTests {
    @Test(arguments: ["a", "z", "0", "9", "-", "fittoday", "fit-2-day", "--", String(repeating: "a", count: 255)])
    func lowercaseLettersDigitsAndHyphensMakeAnID(text: String) {
        #expect(AppID.isWellFormed(text))
    }

    @Test(arguments: [
        "", " ", "A", "a b", "a_b", "a.b", "a/b", "a\n", "\u{0}", "\u{E9}", "\u{661}", "e\u{301}",
        String(repeating: "a", count: 256),
    ])
    func otherTextsAreNotIDs(text: String) {
        #expect(!AppID.isWellFormed(text))
    }

    @Test func thirtySevenCharactersOfASCIIAreAccepted() {
        let taken = (UInt8(0)...127).map { String(UnicodeScalar($0)) }.filter(AppID.isWellFormed)
        #expect(taken.joined() == "-0123456789abcdefghijklmnopqrstuvwxyz")
    }
}
