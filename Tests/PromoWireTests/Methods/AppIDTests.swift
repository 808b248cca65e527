import PromoWire
import Testing

/// Which texts are ids of apps and numbers of the App Store, and which words are similar.
struct AppIDTests {
    @Test func lowercaseLettersDigitsAndHyphensMakeAnID() {
        let taken = (UInt8(0)...127).map { String(UnicodeScalar($0)) }.filter(AppID.isWellFormed)
        #expect(taken.joined() == "-0123456789abcdefghijklmnopqrstuvwxyz")
        let longest = String(repeating: "a", count: AppID.maximumLength)
        #expect(AppID.isWellFormed(longest))
        for text in [longest + "a", "", "a b", "\u{E9}", "\u{661}", "e\u{301}"] { #expect(!AppID.isWellFormed(text)) }
    }

    @Test func digitsMakeANumberOfTheStore() {
        let longest = String(repeating: "9", count: StoreNumber.maximumLength)
        for text in ["0", "6470000002", longest] { #expect(StoreNumber.isWellFormed(text)) }
        for text in ["", "1 ", "-1", "0x1", "\u{661}", longest + "9"] { #expect(!StoreNumber.isWellFormed(text)) }
    }

    private static let words: [(String, String, Int)] = [
        ("", "host", 4), ("host", "host", 0), ("host", "hosts", 1), ("host", "hast", 1), ("host", "hsot", 2),
        ("kitten", "sitting", 3), ("abc", "xyz", 3), ("language", "lang", 4),
    ]

    @Test(arguments: words)
    func theDistanceOfTwoWordsCountsInsertionsDeletionsAndReplacements(left: String, right: String, distance: Int) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
        #expect(editDistance(Array(right.utf8), Array(left.utf8)) == distance)
    }
}
