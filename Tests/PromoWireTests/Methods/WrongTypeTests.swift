import PromoTestSupport
@testable import PromoWire
import Testing

/// An argument of the wrong type or out of its range is refused, and the message says what the member takes.
struct WrongTypeTests {
    private static let string = ["1", "true", "[]", #"["a"]"#, "{}"]
    private static let integer = [
        "0", "-1", "1.0", "1.5", "1e1", "9223372036854775808", "99999999999999999999", #""1""#, "true", "[1]", "{}",
    ]
    private static let count = integer.filter { $0 != "0" } + ["0.0", "-0.5", "-9223372036854775808"]
    private static let appID =
        string + [
            #""""#, #"" ""#, #""Fittoday""#, #""fit today""#, #""fittoday ""#, #""fit_today""#, #""fit.today""#,
            #""../fittoday""#, #""fittoday\n""#, #""fit\u0000today""#, #""한국""#, #""\uff41""#, #""com.example.fit""#,
        ]
    private static let storeNumber = string + [#""""#, #""a""#, #""1.0""#, #""-1""#, #"" 1""#, #""\u0661""#]
    private static let address =
        string + [#""""#, #""http://a.example/""#, #""https://""#, #""https://a b/""#, #""javascript:alert(1)""#]
    private static let boolean = ["0", "1", #""true""#, #""yes""#, "[true]", "{}"]
    private static let strings = [
        "[]", #""bookary""#, "1", "true", "{}", #"{"0":"bookary"}"#, "[1]", "[null]", #"["a",{}]"#,
        "[\(Array(repeating: #""a""#, count: 101).joined(separator: ","))]",
    ]

    private static let kinds = [
        "[]", #""tap""#, "1", "true", "{}", #"["taps"]"#, #"["Tap"]"#, #"["tap",1]"#, #"["tap",null]"#, #"[["tap"]]"#,
        #"["lagged"]"#, #"{"0":"tap"}"#,
    ]
    private static let number = ["-1", "1.0", "1e1", "9223372036854775808", #""1""#, "true", "[1]", "{}"]

    private static let catalog =
        string + [
            #""""#, #""Acme""#, #""acme apps""#, #""acme.toml""#, #""../acme""#, #""http://acme.example/c.json""#,
            #""https://""#, #""file:///etc/passwd""#, "\"\(String(repeating: "a", count: 65))\"",
            #"{"name":"acme"}"#, #"{"name":"acme","url":"https://a.example/"}"#,
        ]

    private static let arguments: [(String, String, [String])] = [
        (#""method":"list""#, "catalog", catalog), (#""method":"tap","app":"a""#, "catalog", catalog),
        (#""method":"impression","apps":["a"]"#, "catalog", catalog),
        (#""method":"review-eligible","app":"a","completed":3"#, "catalog", catalog),
        (#""method":"review-request","app":"a","completed":3"#, "catalog", catalog),
        (#""method":"refresh""#, "catalog", catalog),
        (#""method":"clear""#, "catalog", catalog), (#""method":"subscribe""#, "catalog", catalog),
        (#""method":"list""#, "host", appID), (#""method":"list""#, "language", string),
        (#""method":"list""#, "limit", integer), (#""method":"list""#, "wait", boolean),
        (#""method":"list""#, "unlaunched", boolean),
        (#""method":"list""#, "icons", boolean), (#""method":"icon""#, "app", string),
        (#""method":"icon","app":"a""#, "catalog", catalog),
        (#""method":"tap""#, "app", string), (#""method":"tap","app":"a""#, "host", appID),
        (#""method":"tap","app":"a""#, "language", string), (#""method":"impression""#, "apps", strings),
        (#""method":"impression","apps":["a"]"#, "host", appID), (#""method":"refresh""#, "wait", boolean),
        (#""method":"icon","app":"a""#, "wait", boolean),
        (#""method":"launch""#, "app", appID), (#""method":"review-eligible","completed":3"#, "app", appID),
        (#""method":"review-request","completed":3"#, "app", appID),
        (#""method":"review-eligible","app":"a""#, "completed", count),
        (#""method":"review-eligible","app":"a","completed":3"#, "page", address),
        (#""method":"review-request","app":"a","completed":3"#, "page", address),
        (#""method":"review-eligible","app":"a","completed":3"#, "appStoreID", storeNumber),
        (#""method":"review-request","app":"a","completed":3"#, "appStoreID", storeNumber),
        (#""method":"review-eligible","app":"a","completed":3"#, "needsPage", boolean),
        (#""method":"review-request","app":"a","completed":3"#, "needsPage", boolean),
        (#""method":"review-reset""#, "app", appID),
        (#""method":"review-request","app":"a""#, "completed", count),
        (#""method":"subscribe""#, "events", kinds), (#""method":"subscribe""#, "host", appID),
        (#""method":"refresh""#, "host", appID), (#""method":"clear""#, "host", appID),
        (#""method":"icon","app":"a""#, "host", appID),
        (#""method":"subscribe""#, "since", number), (#""method":"subscribe","since":1"#, "epoch", string),
    ]

    private static func type(of member: String, in line: String) throws -> String {
        let name = try #require(try json(line)["method"]?.string)
        let method = try #require(MethodTable.method(named: name))
        return try #require(method.parameters.first { $0.name == member }).words
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

    @Test func everyParameterOfEveryMethodIsTested() throws {
        let tried = try Self.arguments.map { "\(try json("{\($0.0)}")["method"]?.string ?? "") \($0.1)" }
        let all = MethodTable.all.flatMap { method in method.parameters.map { "\(method.name) \($0.name)" } }
        #expect(Set(tried) == Set(all))
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

    @Test(arguments: MethodTable.all.map(\.name), ["[]", "null", "1", #""list""#, "true"])
    func parametersAreAnObject(method: String, params: String) throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"params\" of \(method) must be an object"))
    }

    @Test(arguments: [
        (#""method":"launch","app":"Kruemel""#, "(an app's id); in lower case: kruemel."),
        (#""method":"list","host":"Fit Today""#, "(the id of the app that asks)."),
        (#""method":"list","catalog":"ACME""#, "; in lower case: acme."),
    ]) func anIDInCapitalsIsRefusedWithTheOneThatIsMeant(members: String, end: String) throws {
        let message = try rejection("{\(members)}").message
        #expect(message.hasSuffix(end), "\(message)")
    }

    @Test func aHundredAppsAreAcceptedAndOneMoreIsRefused() throws {
        let apps = Array(repeating: #""a""#, count: 100).joined(separator: ",")
        let taken = try request(#"{"method":"impression","apps":[\#(apps)]}"#)
        #expect(taken.method == .impression(ImpressionParameters(apps: Array(repeating: "a", count: 100))))
        let rejection = try rejection(#"{"method":"impression","apps":[\#(apps),"a"]}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("100"))
    }

    private static let incomplete = [
        (#"{"method":"tap"}"#, "app"), (#"{"method":"icon"}"#, "app"),
        (#"{"method":"tap","host":"a"}"#, "app"), (#"{"method":"impression"}"#, "apps"),
        (#"{"method":"launch"}"#, "app"), (#"{"method":"review-eligible","completed":3}"#, "app"),
        (#"{"method":"review-eligible","app":"a"}"#, "completed"), (#"{"method":"review-request"}"#, "app"),
        (#"{"method":"review-request","completed":3}"#, "app"),
        (#"{"method":"review-request","app":"a"}"#, "completed"),
    ]

    @Test(arguments: incomplete)
    func aMissingMemberIsNamedWithItsType(line: String, member: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"\(member)\""))
        #expect(rejection.message.contains(try Self.type(of: member, in: line)))
    }

    @Test(arguments: ["launch", "review-eligible", "review-request"])
    func theExampleInARefusalIsAValidRequest(method: String) throws {
        let message = try rejection("{\"method\":\"\(method)\"}").message
        let line = try #require(message.firstIndex(of: "{").map { String(message[$0...]) })
        #expect(try request(line).method.description.name == method)
    }

    @Test(arguments: [
        (#""method":"list","language":1"#, "a string"), (#""method":"list","limit":0"#, "an integer of 1 or more"),
        (#""method":"list","wait":1"#, "true or false"),
        (#""method":"list","host":1"#, "a string of 1 to 255 lowercase ASCII letters, digits and hyphens"),
        (#""method":"subscribe","events":1"#, #"an array of some of "impression", "tap", "catalog", "icons""#),
    ])
    func aTypeIsDescribedInWords(members: String, words: String) throws {
        #expect(try rejection("{\(members)}").message.contains("must be \(words) ("))
    }
}
