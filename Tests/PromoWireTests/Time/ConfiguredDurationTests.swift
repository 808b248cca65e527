import PromoWire
import Testing

/// A duration as keys and options write it.
struct ConfiguredDurationTests {
    @Test(arguments: [
        ("500ms", 500), ("90s", 90_000), ("5m", 300_000), ("24h", 86_400_000), ("3d", 259_200_000), ("0s", 0),
        ("1h30m", 5_400_000), ("2d12h", 216_000_000), ("1d2h3m4s5ms", 93_784_005), ("1m500ms", 60_500), ("007s", 7000),
    ])
    func numbersWithUnitsAreAddedUp(text: String, milliseconds: Int64) {
        #expect(Duration(configured: text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "5", "h", "s5", "5 s", "5S", "-5s", "+5s", "1.5h", "30m1h", "1h1h", "1h30", "5m ", "1w", "1h\u{301}",
        "\u{0661}s",
        "9223372036854775807d", "106751991167d1000d", "999999999999999999999s", "1d\u{0}",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(Duration(configured: text) == nil)
    }

    @Test(arguments: [0, 1, 999, 1000, 60_000, 90_000, 3_600_000, 86_400_000, 5_400_000, 259_200_000, 86_400_001])
    func whatIsWrittenIsReadAgain(milliseconds: Int64) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(Duration(configured: duration.configured) == duration)
    }
}
