import PromoWire
import Testing

/// The check of schemas that other tests use can fail.
@Suite struct SchemaCheckTests {
    private func findings(_ value: String, _ schema: String, in document: String = "{}") throws -> [String] {
        func root(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8), maximumDepth: 16).root }
        return SchemaCheck(try root(value), try root(schema), in: try root(document)).findings
    }

    private static let schema = """
        {"type":"object","required":["a"],"properties":{"a":{"description":"x","type":"integer"},
        "b":{"type":"array","items":{"enum":["x","y"]}},"c":{"oneOf":[{"type":"string","format":"date-time"},{"type":"null"}]},
        "d":{"type":"object","required":["e"],"properties":{"e":{"type":"boolean"}}},
        "f":{"type":"object","required":[],"properties":{}}}}
        """

    @Test(arguments: [
        #"{"a":1}"#, #"{"a":-1,"b":[],"c":null,"d":{"e":true},"f":{}}"#,
        #"{"a":0,"b":["x","y"],"c":"2027-01-15T08:00:00Z","f":{"any":1}}"#,
    ])
    func aValueThatSatisfiesTheSchemaHasNoFindings(value: String) throws {
        #expect(try findings(value, Self.schema) == [])
    }

    @Test(arguments: [
        ("[]", [" is no object", "/a is missing"]), ("{}", ["/a is missing"]), (#"{"a":1.5}"#, ["/a is no integer"]),
        (#"{"a":"1"}"#, ["/a is no integer"]), (#"{"a":1,"g":2}"#, ["/g is not named"]),
        (#"{"a":1,"b":["x","z",1]}"#, ["/b/1 is none of the words", "/b/2 is none of the words"]),
        (#"{"a":1,"b":null}"#, ["/b is no array"]),
        (#"{"a":1,"c":"now"}"#, ["/c satisfies 0 of the schemas instead of one"]),
        (#"{"a":1,"d":{"e":1}}"#, ["/d/e is no boolean"]),
        (#"{"a":1,"d":{"g":true}}"#, ["/d/e is missing", "/d/g is not named"]),
        (#"{"a":1,"f":[]}"#, ["/f is no object"]),
    ])
    func aValueThatDoesNotSatisfyTheSchemaHasFindings(value: String, expected: [String]) throws {
        #expect(try findings(value, Self.schema) == expected)
    }

    @Test func twoMatchingSchemasOfOneOfAreAFinding() throws {
        let found = try findings("1", #"{"oneOf":[{"type":"integer"},{"enum":[1]}]}"#)
        #expect(found == [" satisfies 2 of the schemas instead of one"])
    }

    @Test(arguments: [("1", []), ("2", [" satisfies none of the schemas"])])
    func aValueThatSatisfiesAnyOfTheSchemasHasNoFindings(value: String, expected: [String]) throws {
        #expect(
            try findings(value, #"{"anyOf":[{"enum":[1]},{"type":"string"}, {"type":"integer","const":1}]}"#)
                == expected)
    }

    @Test(arguments: [("1", [" is another word"]), ("2", [])])
    func aReferenceLeadsToASchemaOfTheDocument(value: String, expected: [String]) throws {
        let document = #"{"components":{"schemas":{"A":{"title":"A","const":2}}}}"#
        #expect(try findings(value, ##"{"$ref":"#/components/schemas/A"}"##, in: document) == expected)
        let lost = try findings(value, ##"{"$ref":"#/components/schemas/B"}"##, in: document)
        #expect(lost == [" refers to B, which is not there"])
    }

    @Test func anUnknownKeywordIsAFinding() throws {
        #expect(try findings("1", #"{"type":"integer","maximum":0}"#) == [" is judged by maximum, which is not known"])
    }
}
