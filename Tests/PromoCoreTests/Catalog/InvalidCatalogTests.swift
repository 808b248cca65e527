import PromoCore
import PromoWire
import Testing

/// One catalog for each rule, each with one thing wrong.
struct InvalidCatalogTests {
    /// The JSON Pointer of the expected finding in each catalog; `json` if its bytes are not strict JSON.
    private static let expected: [(name: String, pointer: String)] = {
        String(decoding: Fixture.bytes("catalogs/invalid/EXPECTED"), as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return (fields[0], fields[1])
        }
    }()

    @Test func everyFixtureIsExpected() {
        #expect(Fixture.catalogs(in: "invalid") == Self.expected.map(\.name).sorted())
        #expect(Self.expected.count >= 44)
    }

    @Test(arguments: expected.filter { $0.pointer != "json" })
    func aBrokenRuleIsReportedWhereItIs(name: String, pointer: String) throws {
        let error = try #require(catalogError(Fixture.catalog("invalid/\(name)")))
        guard case .schema(let findings) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(findings.map(\.pointer).contains(pointer))
    }

    @Test(arguments: expected.filter { $0.pointer == "json" })
    func bytesThatAreNotStrictJSONAreNotACatalog(name: String, pointer: String) throws {
        let error = try #require(catalogError(Fixture.catalog("invalid/\(name)")))
        switch error {
        case .json, .html: break
        case .schema: Issue.record("\(error)")
        }
    }

    private static let problems: [(String, JSONError.Problem)] = [
        ("duplicate-member", .duplicateMember("apps")), ("empty", .empty), ("invalid-utf-8", .invalidUTF8),
        ("lone-surrogate", .loneSurrogate),
        ("trailing-bytes", .trailingBytes), ("trailing-comma", .trailingComma), ("truncated", .endOfText),
        ("utf-16", .invalidUTF8),
    ]

    @Test(arguments: problems)
    func theProblemOfTheTextIsReported(name: String, problem: JSONError.Problem) throws {
        guard case .json(let error, _) = catalogError(Fixture.catalog("invalid/\(name)")) else {
            Issue.record("\(name) is JSON")
            return
        }
        #expect(error.problem == problem)
    }

    @Test func aFindingIsASentence() {
        for (name, _) in Self.expected {
            guard case .schema(let findings) = catalogError(Fixture.catalog("invalid/\(name)")) else { continue }
            for finding in findings {
                #expect(finding.message.last == "." || finding.message.last == "?", "\(name): \(finding)")
            }
        }
    }
}
