import Foundation
import Testing

/// The table of limits in the contributors' documentation.
struct LimitsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func sources() throws -> String {
        let tests = Self.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    @Test func everyTestThatTheTableNamesIsThere() throws {
        let table = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/PromoDaemon/PromoDaemon.docc/Limits.md"),
            encoding: .utf8)
        let sources = try sources()
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| what") }
        #expect(rows.count > 30)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "\(row)")
            let name = cells[3].trimmingCharacters(in: ["`"])
            #expect(sources.contains("func \(name)(") || sources.contains("struct \(name) "), "\(name)")
        }
    }
}
