import CrossPromoKit
import Testing

/// Durations in words.
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

    @Test(
        arguments: [
            (-5000, "a moment"), (0, "a moment"), (59_999, "1 minute"), (60_001, "2 minutes"), (300_000, "5 minutes"),
            (3_600_000, "1 hour"), (3_601_000, "61 minutes"), (7_199_001, "2 hours"), (86_400_000, "1 day"),
            (90_000_000, "25 hours"), (604_799_001, "7 days"), (604_800_000, "7 days"), (604_801_000, "8 days"),
        ] as [(Int64, String)])
    func whatRemainsIsRoundedUp(milliseconds: Int64, text: String) {
        #expect(Age.remaining(.milliseconds(milliseconds)) == text)
    }

    @Test func partsOfASecondDoNotCount() {
        #expect(Age.text(.milliseconds(59_999)) == "a moment")
        #expect(Age.text(.milliseconds(60_000)) == "1 minute")
    }
}
