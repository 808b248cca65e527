import PromoWire
import Testing

struct ConfigureReportTests {
    private func written(_ report: ConfigureReport) throws -> ConfigureReport {
        var writer = JSONWriter()
        report.write(to: &writer)
        return try ConfigureReport(try JSONDocument(writer.bytes, maximumDepth: 8).root)
    }

    private static let finding = CatalogReport.Finding(
        position: TextPosition(line: 3, column: 7), pointer: "/apps/0/id", message: "\"id\" must be lower case.")

    @Test func aReportIsReadAsItWasWritten() throws {
        #expect(try written(ConfigureReport()) == ConfigureReport())
        var good = ConfigureReport()
        good.file = "/home/ana/.config/promod/config.toml"
        good.isChanged = true
        (good.replaced, good.address, good.sample) = ("https://example.com/old.json", "https://example.com/", "{}\n")
        good.catalog = CatalogReport(
            name: "https://example.com/c.json", content: .init(apps: 5, rules: 2, generation: "5e3a"),
            warnings: [Self.finding], errors: [])
        #expect(try written(good) == good)
        var bad = ConfigureReport()
        bad.catalog = CatalogReport(name: "c.json", content: nil, warnings: [], errors: [Self.finding, Self.finding])
        bad.refusal = .init(code: "schema", message: "It breaks a rule.", isLasting: true)
        #expect(try written(bad) == bad)
    }

    @Test func aChangeIsReadAsItWasWritten() throws {
        for action in ConfigurationChange.Action.allCases {
            var change = ConfigurationChange(action)
            (change.file, change.catalog, change.url) = ("/home/ana/caf\u{e9}.toml", "acme", "https://a:b@example.com/")
            (change.caFile, change.proxy) = ("/ca.pem", "direct")
            for change in [change, ConfigurationChange(action)] {
                var writer = JSONWriter()
                change.write(to: &writer)
                #expect(try ConfigurationChange(try JSONDocument(writer.bytes, maximumDepth: 2).root) == change)
            }
        }
    }

    @Test func aFindingIsALineWithItsPosition() {
        #expect(Self.finding.line == "3:7: /apps/0/id: \"id\" must be lower case.")
        let whole = CatalogReport.Finding(position: TextPosition(line: 1, column: 1), pointer: "", message: "No.")
        #expect(whole.line == "1:1: No.")
    }

    @Test(arguments: [
        "{}", #"{"changed":1}"#, #"{"changed":true,"catalog":{}}"#, #"{"changed":true,"error":{"code":"tls"}}"#,
        #"{"changed":true,"catalog":{"catalog":"c","good":true,"warnings":[],"errors":[]}}"#,
        #"{"changed":true,"catalog":{"catalog":"c","good":false,"warnings":[{}],"errors":[]}}"#,
    ])
    func anythingButAReportIsRefused(text: String) throws {
        let root = try JSONDocument(Array(text.utf8), maximumDepth: 8).root
        #expect(throws: MalformedResult.self) { try ConfigureReport(root) }
    }
}
