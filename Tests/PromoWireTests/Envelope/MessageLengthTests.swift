import PromoWire
import Testing

/// A message for people stays short, whatever the line says.
struct MessageLengthTests {
    /// The parts of long names, each with its size on the line in bytes.
    private static let parts = [("x", 1), ("\u{301}", 2), ("\u{1F468}\u{200D}", 7), (#"\u0001"#, 6)]

    private static func name(of part: String, _ size: Int) -> String {
        "e" + String(repeating: part, count: 30_000 / size)
    }

    private func expectShort(
        _ line: String, _ reason: ErrorReason, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let rejection = try #require(Message(line: Array(line.utf8))?.single?.rejection, sourceLocation: sourceLocation)
        let length = rejection.message.utf8.count
        #expect(rejection.reason == reason, sourceLocation: sourceLocation)
        #expect(length <= 1024, sourceLocation: sourceLocation)
    }

    @Test(arguments: parts)
    func aLongMethodIsShownShortened(part: String, size: Int) throws {
        try expectShort("{\"method\":\"\(Self.name(of: part, size))\"}", .unknownMethod)
    }

    @Test(arguments: parts)
    func aLongParameterIsShownShortened(part: String, size: Int) throws {
        try expectShort("{\"method\":\"list\",\"\(Self.name(of: part, size))\":1}", .invalidParams)
        try expectShort("{\"method\":\"status\",\"\(Self.name(of: part, size))\":1}", .invalidParams)
    }

    @Test(arguments: parts)
    func aLongMemberOfTheEnvelopeIsShownShortened(part: String, size: Int) throws {
        let name = Self.name(of: part, size)
        try expectShort("{\"jsonrpc\":\"2.0\",\"method\":\"list\",\"\(name)\":1}", .invalidRequest)
        try expectShort("{\"method\":\"list\",\"params\":{},\"\(name)\":1}", .invalidRequest)
    }

    @Test(arguments: parts)
    func aLongDuplicateIsShownShortened(part: String, size: Int) throws {
        let name = Self.name(of: part, size)
        try expectShort("{\"\(name)\":1,\"\(name)\":2}", .parseError)
    }
}
