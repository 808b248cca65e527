import Foundation
import Testing

/// The tables in the contributors' documentation that name a test for each row.
struct LimitsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func sources() throws -> String {
        let tests = Self.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { ["swift", "bash", "py"].contains($0.pathExtension) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    @Test(arguments: ["Limits", "ThreatModel"])
    func everyTestThatATableNamesIsThere(article: String) throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/PromoDaemon/PromoDaemon.docc/\(article).md"),
            encoding: .utf8)
        let sources = try sources()
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasSuffix("| tested by |") }
        #expect(rows.count > 30)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "\(row)")
            for name in cells[3].components(separatedBy: ", ").map({ $0.trimmingCharacters(in: ["`"]) }) {
                // A function, a suite, a check of the container test, or one of the built programs.
                let forms = ["func \(name)(", "struct \(name) ", "\ncheck \(name) ", "\"\(name)\""]
                #expect(forms.contains(where: sources.contains), "\(name)")
            }
        }
    }
}
