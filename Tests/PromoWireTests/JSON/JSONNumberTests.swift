import PromoWire
import Testing

/// The grammar of numbers (RFC 8259, section 6).
struct JSONNumberTests {
    @Test(
        arguments: [
            "0", "-0", "1", "-1", "10", "120", "0.0", "-0.0", "0.5", "1.25", "0e0", "0E0", "1e5", "1E5", "1e+5", "1e-5",
            "1.5E-05", "-1.5e+005", "1e400", "1e-400", "123456789012345678901234567890",
        ])
    func numbersOfTheGrammarAreKeptAsTheyStand(text: String) throws {
        let value = try json(text)
        #expect(value.kind == .number)
        #expect(value.text.elementsEqual(text.utf8))
    }

    private static let malformed: [(String, Int)] = [
        ("-", 1), ("--1", 1), ("-a", 1), ("-.5", 1), ("-Infinity", 1), ("00", 1), ("01", 1), ("-01", 2), ("1.", 2),
        ("1.e1", 2), ("1.a", 2), ("1e", 2), ("1e+", 3), ("1e-", 3), ("1ea", 2), ("1e+-1", 3), ("0.", 2), ("-e1", 1),
    ]

    @Test(arguments: malformed)
    func aMalformedNumberIsReportedWhereItGoesWrong(text: String, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == .badNumber)
        #expect(error?.offset == offset)
    }

    @Test(arguments: malformed)
    func theSameHoldsInsideAnArray(text: String, offset: Int) {
        let error = jsonError("[\(text)]")
        #expect(error?.problem == .badNumber)
        #expect(error?.offset == offset + 1)
    }

    @Test(arguments: ["+1", ".5", "NaN", "Infinity", "\u{0661}", "\u{2212}1"])
    func textThatDoesNotBeginLikeANumberIsNotANumber(text: String) {
        let error = jsonError(text)
        #expect(error?.problem == .unexpected(expected: "a JSON value"))
        #expect(error?.offset == 0)
    }

    @Test(arguments: [("0x10", 1), ("1_000", 1), ("1 2", 2), ("1a", 1), ("1.5.2", 3), ("1-2", 1), ("0-", 1)])
    func aCharacterThatCannotContinueANumberFollowsTheValue(text: String, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == .trailingBytes)
        #expect(error?.offset == offset)
    }
}
