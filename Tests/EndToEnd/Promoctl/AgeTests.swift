import Testing
import promoctl

/// Durations in words.
struct AgeTests {
    @Test(
        arguments: [
            (-90_000, "a moment"), (59, "a moment"), (60, "1 minute"), (120, "2 minutes"), (3599, "59 minutes"),
            (3600, "1 hour"), (86_399, "23 hours"), (86_400, "1 day"), (172_800, "2 days"),
        ] as [(Int64, String)])
    func aSpanIsRoundedDownInTheLargestUnitThatFits(seconds: Int64, text: String) {
        #expect(Age.text(.seconds(seconds)) == text)
    }

    @Test(
        arguments: [
            (-5000, "a moment"), (0, "a moment"), (59_999, "1 minute"), (60_001, "2 minutes"), (3_600_000, "1 hour"),
            (3_601_000, "61 minutes"), (86_400_000, "1 day"), (90_000_000, "25 hours"), (604_801_000, "8 days"),
        ] as [(Int64, String)])
    func whatRemainsIsRoundedUp(milliseconds: Int64, text: String) {
        #expect(Age.remaining(.milliseconds(milliseconds)) == text)
    }
}
