@testable import PromoWire
import Testing

/// An argument of the wrong type, out of its range, missing or unknown is refused, and the message says what is taken.
struct ParameterTests {
    private static let noString = ["1", "true", "[]", #"["a"]"#, "{}"]
    private static let noID = noString + [#""""#, #""A""#, #""a b""#, #""../a""#, #""a\n""#, #""\uff41""#]
    private static let noBoolean = ["0", "1", #""true""#, "[true]", "{}"]
    private static let noCount = ["-1", "1.5", "1e-1", "9223372036854775808", #""1""#, "true", "[1]", "{}"]
    private static let tooMany =
        "[\(Array(repeating: #""a""#, count: ImpressionParameters.maximumApps + 1).joined(separator: ","))]"

    private static let wrong: [String: [String]] = [
        "catalog": noString + [
            #""""#, #""Acme""#, #""a b""#, #""../acme""#, #""http://a.example/""#, #""https://""#,
            "\"\(String(repeating: "a", count: CatalogReference.maximumLength + 1))\"", #"{"name":"acme"}"#,
        ],
        "host": noID, "app": noID, "language": noString, "epoch": noString, "limit": noCount + ["0"],
        "minimum": noCount + ["0"], "wait": noBoolean, "unlaunched": noBoolean, "icons": noBoolean,
        "needsPage": noBoolean, "force": noBoolean,
        "apps": ["[]", #""a""#, "1", "{}", "[1]", "[null]", #"["a",{}]"#, #"["A"]"#, tooMany], "completed": noCount,
        "since": noCount,
        "page": noString + [#""""#, #""http://a.example/""#, #""https://a b/""#, #""javascript:alert(1)""#],
        "appStoreID": noString + [#""""#, #""a""#, #""-1""#, #""\u0661""#],
        "events": ["[]", #""tap""#, "1", "{}", #"["Tap"]"#, #"["tap",1]"#, #"["tap",null]"#, #"["lagged"]"#],
    ]

    /// A call of a method with its other required arguments, and with a value of one unless it is to be missing.
    private static func call(_ method: MethodDescription, _ name: String, _ value: String?) -> String {
        let others = method.parameters.filter { $0.isRequired && $0.name != name }
        let members = others.map { ",\"\($0.name)\":\($0.schema.example)" } + [value.map { ",\"\(name)\":\($0)" } ?? ""]
        return "{\"method\":\"\(method.name)\"\(members.joined())}"
    }

    @Test(arguments: MethodTable.all)
    func aWrongArgumentIsRefusedWithTheParametersNameAndType(method: MethodDescription) throws {
        for parameter in method.parameters {
            for value in try #require(Self.wrong[parameter.name]) + ["null"] {
                let rejection = try rejection(Self.call(method, parameter.name, value))
                #expect(rejection.reason == .invalidParams, "\(rejection)")
                #expect(
                    rejection.message.hasPrefix("\"\(parameter.name)\" of \(method.name) must be \(parameter.words)"))
            }
        }
    }

    @Test func aCharacterThatNoIDHasIsNamed() throws {
        for (id, words) in [
            ("b\u{43E}okary", "; it has “\u{43E}” (U+043E)."), ("a\\u200b", "; it has the character U+200B."),
            ("Bookary", "; in lower case: bookary."),
        ] {
            #expect(try rejection("{\"method\":\"list\",\"host\":\"\(id)\"}").message.hasSuffix(words))
        }
    }

    @Test(arguments: MethodTable.all)
    func aMissingArgumentIsNamedWithItsType(method: MethodDescription) throws {
        for parameter in method.parameters where parameter.isRequired {
            let rejection = try rejection(Self.call(method, parameter.name, nil))
            #expect(rejection.reason == .invalidParams)
            #expect(rejection.message.hasPrefix("\(method.name) needs \"\(parameter.name)\", \(parameter.words)."))
        }
    }

    @Test(arguments: [
        (#""method":"list","language":1"#, "a string"), (#""method":"list","limit":0"#, "an integer of 1 or more"),
        (#""method":"list","wait":1"#, "true or false"),
        (#""method":"list","host":1"#, "a string of \(AppID.form)"),
        (
            #""method":"subscribe","events":1"#,
            "an array of some of " + EventKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        ),
    ])
    func aTypeIsDescribedInWords(members: String, words: String) throws {
        #expect(try rejection("{\(members)}").message.contains("must be \(words) ("))
    }

    @Test func theGreatestNumberOfAppsIsAccepted() throws {
        let apps = Array(repeating: "a", count: ImpressionParameters.maximumApps)
        #expect(try request(#"{"method":"impression","apps":\#(apps)}"#).method == .impression(.init(apps: apps)))
    }

    @Test(arguments: ["color", "", "hosts", "HOST", "\u{D55C}"])
    func anUnknownMemberIsAnsweredWithAllParameters(member: String) throws {
        for line in [
            #"{"method":"list","\#(member)":null,"limit":1}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"\#(member)":"x"}}"#,
        ] {
            let rejection = try rejection(line)
            #expect(rejection.reason == .invalidParams)
            for name in [member] + MethodTable.list.parameters.map(\.name) {
                #expect(rejection.message.contains("\"\(name)\""))
            }
        }
    }

    @Test(arguments: MethodTable.all.filter(\.parameters.isEmpty).map(\.name))
    func aMethodWithoutParametersSaysSo(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)","wait":true}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\(method) takes no parameters"))
        #expect(rejection.message.contains("\"wait\""))
    }
}
