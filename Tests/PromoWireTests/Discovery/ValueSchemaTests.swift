import PromoTestSupport
import PromoWire
import Testing

/// Writing schemas as JSON Schema.
struct ValueSchemaTests {
    private static let shapes: [(ValueSchema, String)] = [
        (.string, #"{"type":"string"}"#), (.integer, #"{"type":"integer"}"#), (.boolean, #"{"type":"boolean"}"#),
        (.time, #"{"type":"string","format":"date-time"}"#),
        (.choice(["a", "b\""]), #"{"type":"string","enum":["a","b\""]}"#),
        (.array(.choice(["a"])), #"{"type":"array","items":{"type":"string","const":"a"}}"#),
        (.array(.string.named("A")), ##"{"type":"array","items":{"$ref":"#/components/schemas/A"}}"##),
        (.object([]), #"{"type":"object","required":[],"properties":{}}"#),
        (.object([], isClosed: true), #"{"type":"object","required":[],"properties":{},"additionalProperties":false}"#),
        (.any(of: [.string, .integer]), #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#),
        (.nullable(.time), #"{"oneOf":[{"type":"string","format":"date-time"},{"type":"null"}]}"#),
        (
            .either(.string, .object([])),
            #"{"oneOf":[{"type":"string"},{"type":"object","required":[],"properties":{}}]}"#
        ),
    ]

    @Test(arguments: shapes)
    func aShapeIsWrittenAsItsSchema(shape: ValueSchema, schema: String) {
        #expect(written { shape.write(to: &$0) } == schema)
    }

    @Test func aMemberHasADescriptionAndIsRequiredOrNot() throws {
        let schema = try #require(try OpenRPC().resolve("#/components/schemas/TapResult"))
        #expect(schema["type"]?.string == "object")
        let required = schema["required"]?.elements.compactMap(\.string) ?? []
        #expect(required == ["app", "appStoreID", "presentation", "storeURL"])
        let properties = try #require(schema["properties"])
        let names = properties.members.compactMap(\.name.string)
        #expect(names == ["app", "appStoreID", "presentation", "message", "storeURL"])
        for member in properties.members { #expect(member.value["description"]?.string?.isEmpty == false) }
    }

    @Test func aComponentIsFoundWithThoseInsideIt() {
        let inner = ValueSchema.nullable(.choice(["a"]).named("Inner"))
        let outer = ValueSchema.either(.string, .array(inner.named("Outer")))
        #expect(outer.components.map(\.name) == ["Outer", "Inner"])
    }

    @Test func requiredMembersAreAmongTheProperties() throws {
        func check(_ value: JSONValue) {
            if value["type"]?.isString("object") == true {
                let names = value["properties"]?.members.compactMap(\.name.string) ?? []
                let required = value["required"]?.elements.compactMap(\.string) ?? []
                #expect(Set(names).count == names.count)
                #expect(value["properties"] == nil || Set(required).isSubset(of: names))
            }
            for element in value.elements { check(element) }
            for member in value.members { check(member.value) }
        }
        check(try #require(try OpenRPC().root["components"]?["schemas"]))
    }
}
