import FoundationEssentials
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The manual of the format agrees with the validator; `packaging/generate` fills in what the schema decides.
struct CatalogDocumentationTests {
    private static func text(_ path: String) throws -> String {
        String(
            decoding: try #require(FileManager.default.contents(atPath: "\(Fixture.repository)/\(path)")), as: UTF8.self
        )
    }

    private static func schema() throws -> JSONValue {
        try JSONDocument(Array(text("packaging/catalog-schema.json").utf8), maximumDepth: 32).root
    }

    @Test func theManualsExampleHasNothingWrong() throws {
        let manual = try Self.text("packaging/man/promod-catalog.5")
        let example = try #require(manual.split(separator: ".Bd -literal\n{").last?.split(separator: "\n.Ed").first)
        let read = try CatalogText(Array(("{" + example).utf8))
        #expect(throws: Never.self) { try read.catalog() }
        #expect(read.warnings == [])
    }

    @Test func theSchemaHasTheLimitsOfTheValidator() throws {
        let definitions = try #require(try Self.schema()["$defs"])
        #expect(definitions["id"]?["maxLength"]?.integer == AppID.maximumLength)
        #expect(definitions["iconURL"]?["maxLength"]?.integer == HTTPSURL.maximumLength)
        #expect(definitions["app"]?["properties"]?["appStoreID"]?["maxLength"]?.integer == 32)
        let manual = try Self.text("packaging/man/promod-catalog.5")
        #expect(manual.contains("nested at most \(AppCatalog.maximumDepth) levels"))
    }
}
