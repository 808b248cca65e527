import FoundationEssentials
import PromoTestSupport
import Testing

/// The verdicts of another JSON Schema validator: whether each text satisfies the catalog's schema.
struct SchemaVerdicts: Decodable {
    /// Why the schema is not valid; nil if it is.
    let schemaError: String?
    let catalogs: [Bool]
    let urls: [Bool]

    /// Asks for all verdicts at once.
    init(catalogs: [String] = [], urls: [String] = []) throws {
        let input = String(decoding: try JSONEncoder().encode(["catalogs": catalogs, "urls": urls]), as: UTF8.self)
        let files = ["Tests/PromoCoreTests/Fixtures/schema-verdicts.py", "packaging/catalog-schema.json"]
        let (end, output, error) = try ChildProcess.run(
            ["/usr/bin/python3", "-I"] + files.map { "\(Fixture.repository)/\($0)" }, input: input)
        guard end == .exited(0) else { throw TestFailure(error) }
        self = try JSONDecoder().decode(Self.self, from: Data(output.utf8))
        try #require(self.catalogs.count == catalogs.count)
        try #require(self.urls.count == urls.count)
    }
}
