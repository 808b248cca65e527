import PromoWire
import Testing

/// Times are RFC 3339 (section 5.6) in UTC with a Z, whole seconds.
struct TimestampRFC3339Tests {
    private static let dates: [(String, Int64)] = [
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("1600-02-29T23:59:59Z", -11_670_912_001),
        ("1900-03-01T00:00:00Z", -2_203_891_200), ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", 0),
        ("2000-02-29T12:34:56Z", 951_827_696), ("2024-12-31T00:00:00Z", 1_735_603_200),
        ("2026-11-21T01:09:00Z", 1_795_223_340), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @Test(arguments: dates)
    func aTimeIsWrittenAsItsDateAndReadBack(text: String, seconds: Int64) {
        #expect(Timestamp(seconds: seconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds))
    }

    @Test(
        arguments: [
            (999, "1970-01-01T00:00:00Z"), (1000, "1970-01-01T00:00:01Z"), (-1, "1969-12-31T23:59:59Z"),
            (-1001, "1969-12-31T23:59:58Z"), (Int64.max, "9999-12-31T23:59:59Z"), (Int64.min, "0001-01-01T00:00:00Z"),
            (-62_135_596_800_001, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func partsOfASecondAreDroppedAndATimeThatCannotBeWrittenBecomesTheNearest(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(Timestamp(milliseconds: milliseconds).rfc3339Bytes.elementsEqual(text.utf8))
    }

    @Test(
        arguments: [
            "", "Z", "2026-11-21", "2026-11-21T01:09Z", "2026-11-21T01:09:00", "2026-11-21T01:09:00z",
            "2026-11-21t01:09:00Z", "2026-11-21 01:09:00Z", "2026-11-21T01:09:00.5Z", "2026-11-21T01:09:00+00:00",
            "2026-11-21T01:09:00Z ", " 2026-11-21T01:09:00Z", "2026-1-21T001:09:00Z", "20261-11-21T01:09:0Z",
            "2026/11/21T01:09:00Z", "2026-11-21T01-09-00Z", "-026-11-21T01:09:00Z", "+026-11-21T01:09:00Z",
            "2026-11-21T01:09:0aZ", "\u{0662}026-11-21T01:09:0Z",
            "0000-01-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-12-31T23:59:60Z",
        ])
    func anyOtherTextIsNil(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }
}
