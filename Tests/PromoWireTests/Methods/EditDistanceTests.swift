import PromoWire
import Testing

/// The edit distance of two words.
struct EditDistanceTests {
    private static let words: [(String, String, Int)] = [
        ("", "", 0), ("host", "host", 0), ("", "host", 4), ("host", "hos", 1), ("host", "hosts", 1),
        ("host", "hast", 1), ("host", "hsot", 2), ("kitten", "sitting", 3), ("abc", "xyz", 3), ("language", "lang", 4),
    ]

    @Test(arguments: words)
    func insertionsDeletionsAndReplacementsAreCounted(left: String, right: String, distance: Int) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
        #expect(editDistance(Array(right.utf8), Array(left.utf8)) == distance)
    }
}
