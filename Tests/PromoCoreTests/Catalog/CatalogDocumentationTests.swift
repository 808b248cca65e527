import FoundationEssentials
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The manual of the format and the READMEs agree with the schema and the validator.
struct CatalogDocumentationTests {
    private static func text(_ path: String) throws -> String {
        String(
            decoding: try #require(FileManager.default.contents(atPath: "\(Fixture.repository)/\(path)")), as: UTF8.self
        )
    }

    // MARK: The manual

    /// The text after each member's name in a section of the manual, up to the next name.
    private static func members(under heading: String) throws -> [String: String] {
        let manual = try text("packaging/man/promod-catalog.5")
        let section = try #require(manual.components(of: "\n.S").first { $0.hasPrefix("s \(heading)\n") })
        let items = section.components(of: "\n.It Li ").dropFirst().map { $0.split(separator: " ", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: items.map { (String($0[0]), String($0[1])) })
    }

    private static func schema() throws -> JSONValue {
        try JSONDocument(Array(text("packaging/catalog-schema.json").utf8), maximumDepth: 32).root
    }

    /// The types of a member as the manual writes them.
    private static func type(_ schema: JSONValue, in root: JSONValue) -> String {
        let name = schema["$ref"]?.string?.split(separator: "/").last.map(String.init)
        let schema = name.flatMap { root["$defs"]?[$0] } ?? schema
        if let choices = schema["oneOf"] {
            return choices.elements.map { Self.type($0, in: root) }.joined(separator: " or ")
        }
        let type = schema["type"]
        return type?.string ?? type?.elements.compactMap(\.string).joined(separator: " or ") ?? ""
    }

    @Test(
        arguments: [("The catalog", nil), ("Each app", "app"), ("Text by language", "localized")] as [(String, String?)]
    )
    func theManualDescribesTheMembersOfTheSchema(heading: String, definition: String?) throws {
        let root = try Self.schema()
        let object = try #require(definition.map { root["$defs"]?[$0] } ?? root)
        let required = object["required"]?.elements.compactMap(\.string) ?? []
        let properties = try #require(object["properties"])
        let described = try Self.members(under: heading)
        #expect(described.keys.sorted() == properties.members.compactMap(\.name.string).sorted())
        for (name, schema) in properties.members {
            let name = name.string ?? ""
            let words = "(\(Self.type(schema, in: root)), \(required.contains(name) ? "required" : "optional"))"
            #expect(described[name]?.hasPrefix("No \(words)\n") == true, "\(name): \(words)")
        }
    }

    @Test func theManualsExampleHasNothingWrong() throws {
        let manual = try Self.text("packaging/man/promod-catalog.5")
        let example = try #require(manual.components(of: ".Bd -literal\n{").last?.components(of: "\n.Ed").first)
        try expectGood("{" + example)
    }

    // MARK: The schema

    @Test func theSchemaHasTheLimitsOfTheValidator() throws {
        let definitions = try #require(try Self.schema()["$defs"])
        #expect(definitions["id"]?["maxLength"]?.integer == AppID.maximumLength)
        #expect(definitions["iconURL"]?["maxLength"]?.integer == HTTPSURL.maximumLength)
        #expect(definitions["app"]?["properties"]?["appStoreID"]?["maxLength"]?.integer == 32)
        let manual = try Self.text("packaging/man/promod-catalog.5")
        #expect(manual.contains("nested at most \(AppCatalog.maximumDepth) levels"))
    }

    /// The linter has a list of its own of the members, for warnings about misspelt ones.
    @Test func everyMemberOfTheSchemaIsKnownToTheWarnings() throws {
        let root = try Self.schema()
        for (name, _) in try #require(root["properties"]).members {
            let name = name.string ?? ""
            #expect(warnings("{\"\(name.uppercased())\":1}").first?.message.contains("\"\(name)\"?") == true, "\(name)")
        }
        for (name, _) in try #require(root["$defs"]?["app"]?["properties"]).members {
            let name = name.string ?? ""
            let found = warnings("{\"apps\":[{\"\(name.uppercased())\":1}]}")
            #expect(found.first?.message.contains("\"\(name)\"?") == true, "\(name)")
        }
    }

    // MARK: The READMEs

    private func expectGood(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let read = try CatalogText(Array(text.utf8))
        #expect(throws: Never.self, sourceLocation: sourceLocation) { try read.catalog() }
        #expect(read.warnings == [], sourceLocation: sourceLocation)
    }

    private static func example(in readme: String) throws -> String {
        let parts = try text(readme).components(of: "\n```json\n")
        try #require(parts.count == 2)
        return try #require(parts[1].components(of: "\n```").first)
    }

    @Test func bothREADMEsHaveTheSameExampleAndNothingIsWrongWithIt() throws {
        try expectGood(try Self.example(in: "README.md"))
        #expect(try Self.example(in: "README.md") == Self.example(in: "README.ko.md"))
    }
}

extension String {
    /// The parts between a separator.
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
