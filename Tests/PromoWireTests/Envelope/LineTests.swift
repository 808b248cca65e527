import PromoWire
import Testing

/// One message is one strict JSON text on one line.
struct LineTests {
    @Test(arguments: ["", " ", "\t", "\r", " \t \r", String(repeating: " ", count: 65_536)])
    func aBlankLineIsNotAMessage(line: String) {
        #expect(Message(line: Array(line.utf8)) == nil)
    }

    @Test(arguments: [#"{"method":"status"}"# + "\r", " \t" + #"{ "method" : "status" }"# + " \r"])
    func whiteSpaceAroundARequestIsIgnored(line: String) throws {
        #expect(try request(line).method == .status)
    }

    @Test(
        arguments: [
            "list", "{", #"{"method":"list","method":"list"}"#, #"{"method":"list","\u006dethod":"list"}"#,
            #"{"method":"list",}"#, #"{"method":"\ud800"}"#, #"{"method":"list","limit":NaN}"#,
            "\u{FEFF}" + #"{"method":"list"}"#, #"{"method":"list"} {"method":"list"}"#, "{\"method\":\"li\tst\"}",
            #"{"method":"list"}x"#, "[" + #"{"method":"list"},]"#, "\u{0}", "\u{A0}", "'list'",
        ])
    func aLineThatIsNotStrictJSONIsAParseErrorWithIDNull(line: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .parseError)
        #expect(rejection.id == "null")
    }

    @Test func invalidUTF8IsAParseErrorWithIDNull() throws {
        let line = Array(#"{"id":1,"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let rejection = try #require(Message(line: line)?.single?.rejection)
        #expect(rejection.reason == .parseError)
        #expect(rejection.id == "null")
        #expect(rejection.message.contains("at byte 18"))
    }

    @Test(arguments: [("list", 0), (#"{"method":"list",}"#, 16), (#"  {"a":1,"a":2}"#, 9), (#"{"id":1"#, 7)])
    func aParseErrorGivesTheByteOffset(line: String, offset: Int) throws {
        #expect(try rejection(line).message.contains("at byte \(offset)"))
    }

    @Test func aLineMayBeNested32Deep() throws {
        #expect(Message.maximumDepth == 32)
        let nested = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        #expect(try rejection(#"{"method":"status","params":\#(nested)}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"status","params":[\#(nested)]}"#).reason == .parseError)
    }

    @Test func aBatchCountsAsOneLevel() throws {
        let nested = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let fits = #"[{"method":"status","params":\#(nested)}]"#
        #expect(Message(line: Array(fits.utf8))?.batch?.first?.rejection?.reason == .invalidParams)
        #expect(try rejection(#"[{"method":"status","params":[\#(nested)]}]"#).reason == .parseError)
    }

    @Test(arguments: [#""list""#, "1", "true", "null", "-0.5e3"])
    func aValueThatIsNotAnObjectIsAnInvalidRequestWithIDNull(line: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "null")
    }
}
