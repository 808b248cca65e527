import FoundationEssentials
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The JSON Schema of the catalog, and the manual of the format, agree with the validator, as far as they can.
struct CatalogSchemaTests {
    /// Rules about two places at once: no two apps share an id, and a rule names only apps of the catalog. An
    /// empty id is none anywhere. A text of which nothing can be seen is not empty.
    private static func isBeyondASchema(_ finding: CatalogFinding) -> Bool {
        finding.message.contains("must be unique")
            || finding.message.contains("No app has the id") && !finding.message.contains("\"\"")
                && !finding.message.contains("which has")
            || finding.message.contains("a string that is not empty") && finding.message.contains("which has")
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        switch catalogError(bytes) {
        case .json, .markup: false
        case .schema, nil: true
        }
    }

    private static func schema() throws -> JSONValue {
        try JSONDocument(Fixture.file("packaging/catalog-schema.json"), maximumDepth: 32).root
    }

    private static func manual() throws -> String {
        String(decoding: try Fixture.file("packaging/man/promod-catalog.5"), as: UTF8.self)
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

    @Test func theSchemaIsValidAndOfThe2020Draft() throws {
        #expect(try SchemaVerdicts().schemaError == nil)
        #expect(try Self.schema()["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func everyMemberIsDescribedForPeopleAndUnknownOnesAreAllowed() throws {
        let described = Self.described(in: try Self.schema())
        #expect(described.count >= 12)
        for (pointer, schema) in described {
            #expect(schema["additionalProperties"]?.boolean != false, "\(pointer)")
            guard schema["$ref"] == nil else { continue }
            #expect(schema["title"]?.string?.isEmpty == false, "\(pointer)")
            #expect(schema["description"]?.string?.isEmpty == false, "\(pointer)")
        }
    }

    @Test func itsExamplesAreCatalogsWithoutMistakes() throws {
        let examples = try #require(try Self.schema()["examples"]).elements.map { Array($0.text) }
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(catalogError(example) == nil)
            #expect(try CatalogText(example).warnings == [])
        }
    }

    @Test func theManualsExampleHasNothingWrong() throws {
        let example = try Self.manual().split(separator: ".Bd -literal\n{").last?.split(separator: "\n.Ed").first
        let text = try CatalogText(Array("{\(try #require(example))".utf8))
        #expect(throws: Never.self) { try text.catalog() }
        #expect(text.warnings == [])
    }

    @Test func theSchemaHasTheLimitsOfTheValidator() throws {
        let definitions = try #require(try Self.schema()["$defs"])
        #expect(definitions["id"]?["maxLength"]?.integer == AppID.maximumLength)
        #expect(definitions["iconURL"]?["maxLength"]?.integer == HTTPSURL.maximumLength)
        #expect(definitions["app"]?["properties"]?["appStoreID"]?["maxLength"]?.integer == StoreNumber.maximumLength)
    }

    @Test func theSchemaAgreesWithTheValidatorAboutEveryCatalogButThatOnlyTheValidatorCanRefuse() throws {
        let texts =
            try Fixture.catalogs.map(Fixture.catalog).filter(Self.isJSON).map { String(decoding: $0, as: UTF8.self) }
            + CatalogRuleTests.all.map(\.text)
        #expect(texts.count >= 150)
        for (text, verdict) in zip(texts, try SchemaVerdicts(catalogs: texts).catalogs) {
            let broken = findings(text)
            #expect(verdict == broken.allSatisfy(Self.isBeyondASchema), "\(text) \(broken)")
        }
    }

    @Test func theSchemaAgreesAboutEveryAddress() throws {
        let texts = URLFixture.accepted + URLFixture.refused
        for (text, verdict) in zip(texts, try SchemaVerdicts(urls: texts).urls) {
            #expect(verdict == URLFixture.accepted.contains(text), "\(text)")
        }
    }
}
