import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The JSON Schema of the catalog agrees with the validator, as far as a schema can.
struct CatalogSchemaTests {
    /// Rules about two places at once: no two apps share an id, and a rule names only apps of the catalog.
    private static let beyondASchema = ["invalid/id-duplicate", "invalid/rule-unknown-app"]

    @Test func theSchemaIsValid() throws {
        #expect(try SchemaVerdicts().schemaError == nil)
    }

    @Test func everyFixtureThatIsJSONIsChecked() throws {
        let verdicts = try SchemaVerdicts()
        #expect(SchemaVerdicts.names.count >= 45)
        for name in SchemaVerdicts.names { #expect(verdicts.catalog(name) != nil, "\(name)") }
    }

    @Test func theSchemaAgreesWithTheValidatorAboutEveryCatalog() throws {
        let verdicts = try SchemaVerdicts()
        for name in SchemaVerdicts.names where !Self.beyondASchema.contains(name) {
            let isCatalog = catalogError(Fixture.catalog(name)) == nil
            #expect(verdicts.catalog(name) == isCatalog, "\(name)")
        }
    }

    @Test func theSchemaAcceptsWhatOnlyTheValidatorCanRefuse() throws {
        let verdicts = try SchemaVerdicts()
        for name in Self.beyondASchema {
            #expect(catalogError(Fixture.catalog(name)) != nil, "\(name)")
            #expect(verdicts.catalog(name) == true, "\(name)")
        }
    }

    @Test func theSchemaAgreesAboutEveryAddress() throws {
        let verdicts = try SchemaVerdicts()
        for text in URLFixture.accepted { #expect(verdicts.url(text) == true, "\(text)") }
        for text in URLFixture.refused { #expect(verdicts.url(text) == false, "\(text)") }
    }
}
