import PromoWire
import Testing

/// Integers are written without fraction or exponent.
struct JSONIntegerTests {
    private static let integers: [(String, Int)] = [
        ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ]

    @Test(arguments: integers)
    func digitsWithOrWithoutAMinusAreAnInteger(text: String, integer: Int) throws {
        #expect(try json(text).integer == integer)
    }

    @Test(arguments: ["1.0", "1e2", "1E2", "-1e0", "0.5", "0e0"])
    func aNumberWithAFractionOrAnExponentIsNotAnInteger(text: String) throws {
        #expect(try json(text).integer == nil)
    }

    @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1000000000000000000000000000000"])
    func aNumberThatDoesNotFitIsNotAnInteger(text: String) throws {
        #expect(try json(text).integer == nil)
    }

    @Test(arguments: [#""1""#, "true", "null", "[1]", #"{"a":1}"#])
    func onlyANumberIsAnInteger(text: String) throws {
        #expect(try json(text).integer == nil)
    }
}
