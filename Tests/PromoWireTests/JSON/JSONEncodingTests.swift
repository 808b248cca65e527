import PromoWire
import Testing

/// Only UTF-8 is read (RFC 8259, section 8.1), and only what the Unicode standard calls well-formed.
struct JSONEncodingTests {
    private static let malformed: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFE], [0xFF],
    ]

    @Test(arguments: malformed)
    func malformedUTF8IsReportedWhereItBegins(bytes: [UInt8]) {
        let error = jsonError(Array(#"["ab"#.utf8) + bytes + Array(#""]"#.utf8))
        #expect(error?.problem == .invalidUTF8)
        #expect(error?.offset == 4)
    }

    @Test(arguments: malformed)
    func theSameHoldsAtTheEndOfTheText(bytes: [UInt8]) {
        let error = jsonError(Array(#"[""]"#.utf8) + bytes)
        #expect(error?.problem == .invalidUTF8)
        #expect(error?.offset == 4)
    }

    @Test(arguments: malformed)
    func theSameHoldsInAMembersName(bytes: [UInt8]) {
        #expect(jsonError(Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8))?.problem == .invalidUTF8)
    }

    @Test(
        arguments: [
            [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
            [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]])
    func theFirstAndLastSequencesOfEachLengthAreRead(bytes: [UInt8]) {
        #expect(jsonError([0x22] + bytes + [0x22]) == nil)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], [0x7B, 0x00, 0x7D, 0x00],
        ] as [[UInt8]])
    func anotherEncodingIsRefused(bytes: [UInt8]) {
        #expect(jsonError(bytes) != nil)
    }
}
