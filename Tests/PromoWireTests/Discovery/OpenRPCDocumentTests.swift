import PromoTestSupport
import PromoWire
import Testing

/// The OpenRPC document, except its methods.
struct OpenRPCDocumentTests {
    @Test func itIsStrictJSONOnOneLine() {
        #expect(jsonError(OpenRPCDocument.json) == nil)
        #expect(OpenRPCDocument.json.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(OpenRPCDocument.json.first == UInt8(ascii: "{"))
    }

    @Test func itNamesItsFormatAndTheProgram() throws {
        let root = try OpenRPC().root
        #expect(root.members.compactMap(\.name.string) == ["openrpc", "info", "methods", "components", "x-events"])
        #expect(root["openrpc"]?.string == "1.3.2")
        let info = try #require(root["info"])
        #expect(info["title"]?.string == "promod")
        #expect(info["version"]?.string == Version.current)
        #expect(info["license"]?["name"]?.string == "MIT")
        let description = try #require(info["description"]?.string)
        #expect(description.contains("65536 bytes"))
        #expect(description.contains("error.data.reason"))
    }

    @Test func theExampleLineIsAValidRequest() throws {
        let description = try #require(try OpenRPC().root["info"]?["description"]?.string)
        let start = try #require(description.firstIndex(of: "{"))
        let end = try #require(description[start...].firstIndex(of: "}"))
        #expect(try request(String(description[start...end])).method == .list(ListParameters(host: "finebill")))
    }

    @Test func everyReasonIsAnErrorWithItsCode() throws {
        let errors = try #require(try OpenRPC().root["components"]?["errors"])
        #expect(errors.members.compactMap(\.name.string) == ErrorReason.allCases.map(\.rawValue))
        for (reason, error) in zip(ErrorReason.allCases, errors.members) {
            #expect(error.value.members.compactMap(\.name.string) == ["code", "message", "data"])
            #expect(error.value["code"]?.integer == reason.code)
            #expect(error.value["message"]?.string == reason.meaning)
            let data = JSONTree.object([.init(name: "reason", value: .string(reason.rawValue))])
            #expect(error.value["data"].map(JSONTree.init) == data)
        }
    }

    @Test func everyMeaningIsADifferentSentence() {
        let meanings = ErrorReason.allCases.map(\.meaning)
        #expect(Set(meanings).count == meanings.count)
        #expect(meanings.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true })
    }

    /// The parameters of a method, an error and an event are for generators of clients.
    @Test func everyReferenceResolvesAndEverySchemaIsReferredToOrARoot() throws {
        let document = try OpenRPC()
        let schemas = try #require(document.root["components"]?["schemas"]).members.compactMap(\.name.string)
        let roots = schemas.filter { $0.hasSuffix("Parameters") || ["RequestError", "Event"].contains($0) }
        #expect(roots.count == MethodTable.all.count + 2)
        let expected = Set(schemas.map { "#/components/schemas/\($0)" })
        let referred = references(in: document.root) + roots.map { "#/components/schemas/\($0)" }
        #expect(Set(referred) == expected && expected.count == schemas.count)
    }

    @Test func aSchemaIsAnObjectOrAChoiceWithItsNameAsTitle() throws {
        for (name, schema) in try #require(try OpenRPC().root["components"]?["schemas"]).members {
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

    @Test func theEventsAreThoseOfSubscribeAndTheOneThatEndsIt() throws {
        let events = try #require(try OpenRPC().root["x-events"]).elements.map(\.self)
        #expect(events.compactMap { $0["name"]?.string } == EventKind.allCases.map(\.rawValue) + ["lagged"])
        for event in events {
            let title = try #require(event["title"]?.string)
            #expect(event["params"]?["$ref"]?.string == "#/components/schemas/\(title)")
            #expect(event["summary"]?.string?.hasSuffix(".") == true)
        }
    }

    @Test func anEventIsOneOfThoseOrOfAnotherKind() throws {
        let document = try OpenRPC()
        let titles = try #require(document.root["x-events"]).elements.compactMap { $0["title"]?.string }
        let event = document.resolve("#/components/schemas/Event")?["anyOf"]
        #expect(event?.elements.map(references) == (titles + ["OtherEvent"]).map { ["#/components/schemas/\($0)"] })
    }

    /// A client of this version reads the results of an older promod, and one of an older version those of this promod.
    @Test(arguments: [ErrorReason.schema, ProblemCode.schema, Emptiness.schema, Language.schema, EventKind.schema])
    func aWordThatMayBeNewIsAnyString(schema: ValueSchema) throws {
        let text = written { schema.write(to: &$0) }
        #expect(text.hasSuffix(#"},{"type":"string"}]}"#) && schema.components.count == 1)
    }

    private func references(in value: JSONValue) -> [String] {
        value.elements.flatMap(references)
            + value.members.flatMap { name, value in
                name.isString("$ref") ? [value.string ?? ""] : references(in: value)
            }
    }
}
