import CrossPromoKit
import Testing

/// Spans of time in words.
struct AgeTests {
    @Test(
        arguments: [
            (-90_000, "a moment"), (0, "a moment"), (59, "a moment"), (60, "1 minute"), (119, "1 minute"),
            (120, "2 minutes"), (3599, "59 minutes"), (3600, "1 hour"), (7199, "1 hour"), (7200, "2 hours"),
            (86_399, "23 hours"), (86_400, "1 day"), (172_799, "1 day"), (172_800, "2 days"),
            (86_400 * 400, "400 days"),
        ] as [(Int64, String)])
    func aSpanIsRoundedDownInTheLargestUnitThatFits(seconds: Int64, text: String) {
        #expect(Age.text(.seconds(seconds)) == text)
    }

    @Test func partsOfASecondDoNotCount() {
        #expect(Age.text(.milliseconds(59_999)) == "a moment")
        #expect(Age.text(.milliseconds(60_000)) == "1 minute")
    }
}
