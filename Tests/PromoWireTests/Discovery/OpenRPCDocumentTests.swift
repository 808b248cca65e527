import PromoTestSupport
import PromoWire
import Testing

/// The OpenRPC document. `packaging/openrpc.json` shows all of it, and the suite `conformance` judges it object by object.
struct OpenRPCDocumentTests {
    private let root: JSONValue

    init() throws {
        root = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
    }

    @Test func itNamesTheProgramAndHasAnExampleThatWorks() throws {
        let info = try #require(root["info"])
        #expect(info["title"]?.string == "promod")
        #expect(info["version"]?.string == Version.current)
        let description = try #require(info["description"]?.string)
        let start = try #require(description.firstIndex(of: "{"))
        let end = try #require(description[start...].firstIndex(of: "}"))
        #expect(try request(String(description[start...end])).method == .list(ListParameters(host: "finebill")))
    }

    @Test func aSchemaIsAnObjectOrAChoiceWithItsNameAsTitle() throws {
        for (name, schema) in try #require(root["components"]?["schemas"]).members {
            #expect(schema["title"]?.string == name.string)
            let isOther = schema["enum"] != nil || name.isString("Event")
            #expect((schema["type"]?.string == "object") != isOther, "\(name.string ?? "")")
            #expect(name.string?.wholeMatch(of: /([A-Z][a-z]+)+/) != nil, "generators would write it differently")
        }
    }

    @Test func theSchemasOfOneNameAreTheSame() {
        let roots = MethodTable.all.flatMap { [$0.parameterObject, $0.result] } + [.error, .anyEvent]
        var texts: [String: String] = [:]
        for (name, schema) in roots.flatMap(\.components) {
            let text = written { schema.write(to: &$0) }
            #expect(texts.updateValue(text, forKey: name) ?? text == text, "\(name)")
        }
    }
}
