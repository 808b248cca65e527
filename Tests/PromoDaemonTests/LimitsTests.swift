import Foundation
import Testing

/// The tables of Limits.md, which name the code for each row, and a test where a client's words fill a table.
struct LimitsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of all files with some extensions in a folder.
    private func text(of folder: String, _ extensions: Set<String>) throws -> String {
        let folder = Self.root.appendingPathComponent(folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { extensions.contains($0.pathExtension) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    private static let wordBytes = Set("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// The cells of each row: what, the bound, the code, and perhaps a test.
    private func rows() throws -> [[String]] {
        let article = Self.root.appendingPathComponent("Sources/PromoDaemon/PromoDaemon.docc/Limits.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("| enforced in |") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test func everyTestThatATableNamesIsThere() throws {
        let sources = try text(of: "Tests", ["swift"])
        let named = try rows().filter { $0.count == 4 }.map { $0[3].trimmingCharacters(in: ["`"]) }
        #expect(named.count >= 4)
        for name in named { #expect(sources.contains("func \(name)("), "\(name)") }
    }

    @Test func allCodeThatATableNamesIsThere() throws {
        let code = try text(of: "Sources", ["swift", "c", "h"])
        let words = Set(code.utf8.split { !Self.wordBytes.contains($0) }.map { Substring($0) })
        let rows = try rows()
        #expect(rows.count > 30)
        for cells in rows {
            let matches = cells[2].matches(of: /`([^`]+)`/)
            #expect(!matches.isEmpty, "\(cells)")
            for match in matches {
                let missing = match.1.split(separator: ".").filter { !words.contains($0) }
                #expect(missing.isEmpty, "\(match.0)")
            }
        }
    }
}
