import FoundationEssentials
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The JSON Schema of the catalog as a text for people and editors.
struct CatalogSchemaTextTests {
    private static func schema() throws -> JSONValue {
        let data = try #require(FileManager.default.contents(atPath: SchemaVerdicts.schemaPath))
        return try JSONDocument(Array(data), maximumDepth: 32).root
    }

    /// The schema itself, and every schema of a member in it.
    private static func described(in schema: JSONValue, at pointer: String = "") -> [(String, JSONValue)] {
        let members = (schema["properties"]?.members).map(Array.init) ?? []
        let definitions = (schema["$defs"]?.members).map(Array.init) ?? []
        return [(pointer, schema)]
            + (members + definitions).flatMap { name, value in
                described(in: value, at: "\(pointer)/\(name.string ?? "")")
            }
    }

    @Test func itIsOfThe2020Draft() throws {
        #expect(try Self.schema()["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func everyMemberIsDescribedForPeople() throws {
        let described = Self.described(in: try Self.schema())
        #expect(described.count >= 12)
        for (pointer, schema) in described where schema["$ref"] == nil {
            #expect(schema["title"]?.string?.isEmpty == false, "\(pointer)")
            #expect(schema["description"]?.string?.isEmpty == false, "\(pointer)")
        }
    }

    @Test func unknownMembersAreAllowed() throws {
        for (pointer, schema) in Self.described(in: try Self.schema()) {
            #expect(schema["additionalProperties"]?.boolean != false, "\(pointer)")
            #expect(schema["unevaluatedProperties"] == nil, "\(pointer)")
        }
    }

    @Test func itsExamplesAreCatalogs() throws {
        let examples = try #require(try Self.schema()["examples"]).elements.map { Array($0.text) }
        #expect(!examples.isEmpty)
        for example in examples { #expect(catalogError(example) == nil) }
    }
}
