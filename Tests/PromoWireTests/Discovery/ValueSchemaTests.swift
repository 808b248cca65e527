import PromoWire
import Testing

/// How the shape of a value is written as JSON Schema.
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

    @Test func aMemberHasItsMeaningAndIsRequiredOrNot() throws {
        let tap = try #require(MethodTable.method(named: "tap")).result
        let expected = """
            {"type":"object","required":["app","appStoreID","presentation","storeURL"],"properties":{\
            "app":{"description":"the app that was tapped","type":"string"},\
            "appStoreID":{"description":"its number in the store","type":"string"},\
            "presentation":{"description":"whether to open the store or to show the message","enum":["store","offline"]},\
            "message":{"description":"what to show instead while there is no network","type":"string"},\
            "storeURL":{"description":"its page in the store","type":"string"}}}
            """
        #expect(written(tap.write) == expected)
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func whatIsRequiredIsAmongTheProperties(name: String) throws {
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
