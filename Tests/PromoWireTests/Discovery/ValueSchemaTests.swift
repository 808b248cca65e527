import PromoTestSupport
import PromoWire
import Testing

/// Writing schemas as JSON Schema.
struct ValueSchemaTests {
    private static let shapes: [(ValueSchema, String)] = [
        (.string, #"{"type":"string"}"#), (.integer, #"{"type":"integer"}"#), (.boolean, #"{"type":"boolean"}"#),
        (.time, #"{"type":"string","format":"date-time"}"#), (.choice(["a", "b\""]), #"{"enum":["a","b\""]}"#),
        (.array(.choice(["a"])), #"{"type":"array","items":{"enum":["a"]}}"#),
        (.object([]), #"{"type":"object","required":[],"properties":{}}"#),
        (.nullable(.time), #"{"oneOf":[{"type":"string","format":"date-time"},{"type":"null"}]}"#),
        (
            .either(.string, .object([])),
            #"{"oneOf":[{"type":"string"},{"type":"object","required":[],"properties":{}}]}"#
        ),
    ]

    @Test(arguments: shapes)
    func aShapeIsWrittenAsItsSchema(shape: ValueSchema, schema: String) {
        #expect(written(shape.write) == schema)
    }

    @Test func aMemberHasADescriptionAndIsRequiredOrNot() throws {
        let tap = try #require(MethodTable.method(named: "tap")).result
        let schema = try json(written(tap.write))
        #expect(schema["type"]?.string == "object")
        let required = schema["required"]?.elements.compactMap(\.string) ?? []
        #expect(required == ["app", "appStoreID", "presentation", "storeURL"])
        let properties = try #require(schema["properties"])
        let names = properties.members.compactMap(\.name.string)
        #expect(names == ["app", "appStoreID", "presentation", "message", "storeURL"])
        for member in properties.members { #expect(member.value["description"]?.string?.isEmpty == false) }
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func requiredMembersAreAmongTheProperties(name: String) throws {
        func check(_ value: JSONValue) {
            if value["type"]?.isString("object") == true {
                let names = value["properties"]?.members.compactMap(\.name.string) ?? []
                let required = value["required"]?.elements.compactMap(\.string) ?? []
                #expect(Set(names).count == names.count)
                #expect(Set(required).isSubset(of: names))
            }
            for element in value.elements { check(element) }
            for member in value.members { check(member.value) }
        }
        let schema = try #require(MethodTable.method(named: name)).result
        check(try json(written(schema.write)))
    }
}
