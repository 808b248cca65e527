import PromoWire
import Testing

/// An argument of the wrong type or out of its range is refused, and the message says what the member takes.
struct WrongTypeTests {
    private static let string = ["1", "true", "[]", #"["a"]"#, "{}"]
    private static let integer = [
        "0", "-1", "1.0", "1.5", "1e1", "9223372036854775808", "99999999999999999999", #""1""#, "true", "[1]", "{}",
    ]
    private static let boolean = ["0", "1", #""true""#, #""yes""#, "[true]", "{}"]
    private static let strings = ["[]", #""bookary""#, "1", "true", "{}", #"{"0":"bookary"}"#]

    private static let arguments: [(String, String, [String])] = [
        (#""method":"list""#, "host", string), (#""method":"list""#, "language", string),
        (#""method":"list""#, "limit", integer), (#""method":"list""#, "wait", boolean),
        (#""method":"tap""#, "app", string), (#""method":"tap","app":"a""#, "host", string),
        (#""method":"tap","app":"a""#, "language", string), (#""method":"impression""#, "apps", strings),
        (#""method":"impression","apps":["a"]"#, "host", string), (#""method":"refresh""#, "wait", boolean),
    ]

    private static func type(of member: String, in line: String) throws -> String {
        let name = try #require(try json(line)["method"]?.string)
        let method = try #require(MethodTable.method(named: name))
        return try #require(method.parameters.first { $0.name == member }).type.description
    }

    @Test(arguments: arguments)
    func aWrongTypeIsRefusedWithTheMembersNameAndType(head: String, member: String, values: [String]) throws {
        for value in values {
            let line = "{\(head),\"\(member)\":\(value)}"
            let rejection = try rejection(line)
            #expect(rejection.reason == .invalidParams, "\(line)")
            #expect(rejection.message.contains("\"\(member)\""), "\(line)")
            #expect(rejection.message.contains(try Self.type(of: member, in: line)), "\(line)")
        }
    }

    @Test(arguments: arguments)
    func nullIsAWrongType(head: String, member: String, values: [String]) throws {
        let rejection = try rejection("{\(head),\"\(member)\":null}")
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"\(member)\""))
    }

    @Test(arguments: [#"[1]"#, #"["a",null]"#, #"["a",1]"#, #"[["a"]]"#, #"["a",{}]"#, "[null]"])
    func everyElementOfAListOfAppsIsAString(apps: String) throws {
        #expect(try rejection(#"{"method":"impression","apps":\#(apps)}"#).reason == .invalidParams)
    }

    @Test func aHundredAppsAreTakenAndNotOneMore() throws {
        let apps = Array(repeating: #""a""#, count: 100).joined(separator: ",")
        let taken = try request(#"{"method":"impression","apps":[\#(apps)]}"#)
        #expect(taken == .impression(ImpressionParameters(apps: Array(repeating: "a", count: 100))))
        let rejection = try rejection(#"{"method":"impression","apps":[\#(apps),"a"]}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("100"))
    }

    private static let incomplete = [
        (#"{"method":"tap"}"#, "app"), (#"{"method":"tap","host":"a"}"#, "app"), (#"{"method":"impression"}"#, "apps"),
    ]

    @Test(arguments: incomplete)
    func aMissingMemberIsNamedWithItsType(line: String, member: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"\(member)\""))
        #expect(rejection.message.contains(try Self.type(of: member, in: line)))
    }

    @Test func whatATypeTakesIsSaidInWords() {
        #expect(ParameterType.string("a word").description == "a string, a word")
        #expect(ParameterType.integer(minimum: 1, "so many").description == "an integer of 1 or more, so many")
        #expect(ParameterType.boolean("whether").description == "true or false, whether")
        #expect(ParameterType.strings(maximum: 5, "ids").description == "an array of 1 to 5 strings, ids")
    }
}
