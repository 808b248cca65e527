import PromoWire
import Testing

/// Times are RFC 3339 (section 5.6) in UTC with a Z, whole seconds.
struct TimestampRFC3339Tests {
    private static let dates: [(String, Int64)] = [
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("0004-02-29T12:00:00Z", -62_035_848_000),
        ("1582-10-15T00:00:00Z", -12_219_292_800), ("1600-02-29T23:59:59Z", -11_670_912_001),
        ("1900-02-28T23:59:59Z", -2_203_891_201), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", 0), ("1972-02-29T00:00:00Z", 68_169_600),
        ("1999-12-31T23:59:59Z", 946_684_799), ("2000-02-29T12:34:56Z", 951_827_696),
        ("2000-03-01T00:00:00Z", 951_868_800), ("2001-09-09T01:46:40Z", 1_000_000_000),
        ("2024-02-29T23:59:59Z", 1_709_251_199), ("2024-12-31T00:00:00Z", 1_735_603_200),
        ("2025-02-28T23:59:59Z", 1_740_787_199), ("2026-11-21T01:09:00Z", 1_795_223_340),
        ("2038-01-19T03:14:08Z", 2_147_483_648), ("2100-02-28T23:59:59Z", 4_107_542_399),
        ("2100-03-01T00:00:00Z", 4_107_542_400), ("2400-02-29T06:07:08Z", 13_574_585_228),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @Test(arguments: dates)
    func aTimeIsWrittenAsItsDate(text: String, seconds: Int64) {
        #expect(Timestamp(seconds: seconds).rfc3339 == text)
        #expect(Timestamp(seconds: seconds).rfc3339Bytes.elementsEqual(text.utf8))
    }

    @Test(arguments: dates)
    func aDateIsReadAsItsTime(text: String, seconds: Int64) {
        #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds))
    }

    @Test(arguments: [(0, "1970-01-01T00:00:00Z"), (999, "1970-01-01T00:00:00Z"), (1000, "1970-01-01T00:00:01Z")])
    func partsOfASecondAreDropped(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [(-1, "1969-12-31T23:59:59Z"), (-1000, "1969-12-31T23:59:59Z"), (-1001, "1969-12-31T23:59:58Z")])
    func partsOfASecondAreDroppedBefore1970Too(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [253_402_300_800_000, 253_402_300_799_999, Int64.max])
    func aTimeTooLateToWriteBecomesTheLast(milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == "9999-12-31T23:59:59Z")
    }

    @Test(arguments: [-62_135_596_800_001, -62_135_596_801_000, Int64.min])
    func aTimeTooEarlyToWriteBecomesTheFirst(milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == "0001-01-01T00:00:00Z")
    }

    @Test(
        arguments: [
            "", "Z", "2026-11-21", "2026-11-21T01:09Z", "2026-11-21T01:09:00", "2026-11-21T01:09:00z",
            "2026-11-21t01:09:00Z", "2026-11-21 01:09:00Z", "2026-11-21T01:09:00.5Z", "2026-11-21T01:09:00+00:00",
            "2026-11-21T01:09:00Z ", " 2026-11-21T01:09:00Z", "2026-1-21T001:09:00Z", "20261-11-21T01:09:0Z",
            "2026/11/21T01:09:00Z", "2026-11-21T01-09-00Z", "-026-11-21T01:09:00Z", "+026-11-21T01:09:00Z",
            "2026-11-21T01:09:0aZ", "\u{0662}026-11-21T01:09:0Z",
        ])
    func anyOtherFormIsNil(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(
        arguments: [
            "0000-01-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
            "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
            "2026-12-31T23:59:60Z", "9999-99-99T99:99:99Z",
        ])
    func aDateThatDoesNotExistIsNil(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }
}
