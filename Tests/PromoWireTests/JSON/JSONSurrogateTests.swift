import PromoWire
import Testing

/// A surrogate must be half of a pair, everywhere in a text. Readers differ about others (RFC 8259, section 8.2).
struct JSONSurrogateTests {
    private static let lone: [(String, Int)] = [
        (#"\ud800"#, 0), (#"\udbff"#, 0), (#"\udc00"#, 0), (#"\uDFFF"#, 0), (#"\ud800x"#, 0), (#"\ud800\n"#, 0),
        (#"\ud800\\udc00"#, 0), (#"\ud800\u0041"#, 0), (#"\ud800\ud800"#, 0), (#"\ud800\ud800\udc00"#, 0),
        (#"\udc00\ud800"#, 0), (#"\ud800\udc00\udc00"#, 12), (#"\ud800\udc00\ud800"#, 12), (#"x\udc00"#, 1),
        (#"\ud800udc00"#, 0), (#"\n\ud83d"#, 2),
    ]

    @Test(arguments: lone)
    func aLoneSurrogateIsReportedWhereItBegins(string: String, offset: Int) {
        let error = jsonError("\"\(string)\"")
        #expect(error?.problem == .loneSurrogate)
        #expect(error?.offset == offset + 1)
    }

    @Test(arguments: lone)
    func theSameHoldsInsideAnArray(string: String, offset: Int) {
        let error = jsonError("[0,\"\(string)\",0]")
        #expect(error?.problem == .loneSurrogate)
        #expect(error?.offset == offset + 4)
    }

    @Test(arguments: lone)
    func theSameHoldsInAMembersValue(string: String, offset: Int) {
        let error = jsonError("{\"a\":\"\(string)\"}")
        #expect(error?.problem == .loneSurrogate)
        #expect(error?.offset == offset + 6)
    }

    @Test(arguments: lone)
    func theSameHoldsInAMembersName(string: String, offset: Int) {
        let error = jsonError("{\"\(string)\":1}")
        #expect(error?.problem == .loneSurrogate)
        #expect(error?.offset == offset + 2)
    }

    @Test func everyPairStandsForItsScalar() throws {
        for lead in stride(from: UInt32(0xD800), through: 0xDBFF, by: 31) {
            for trail in stride(from: UInt32(0xDC00), through: 0xDFFF, by: 93) {
                let text = "\"\\u" + String(lead, radix: 16) + "\\u" + String(trail, radix: 16) + "\""
                let scalar = try #require(Unicode.Scalar(0x10000 + (lead - 0xD800) << 10 + (trail - 0xDC00)))
                #expect(try json(text).isString(String(scalar)))
            }
        }
    }

    @Test(arguments: [#""\ud800\uzzzz""#, #""\ud800\u12g4""#])
    func aBrokenSecondHalfIsReportedWhereItBegins(text: String) {
        let error = jsonError(text)
        #expect(error?.problem == .badEscape)
        #expect(error?.offset == 7)
    }
}
