import Foundation
import Testing

/// The tables in the contributors' documentation that name the code and a test for each row.
struct LimitsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of all files with some extensions in a folder, with their names.
    private func text(of folder: String, _ extensions: Set<String>) throws -> String {
        let folder = Self.root.appendingPathComponent(folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { extensions.contains($0.pathExtension) }
            .map { $0.lastPathComponent + "\n" + (try String(contentsOf: $0, encoding: .utf8)) }
            .joined(separator: "\n")
    }

    private static let wordBytes = Set("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    private func rows(of article: String) throws -> [[String]] {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/PromoDaemon/PromoDaemon.docc/\(article).md"),
            encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasSuffix("| tested by |") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test(arguments: ["Limits", "ThreatModel"])
    func everyTestThatATableNamesIsThere(article: String) throws {
        let sources = try text(of: "Tests", ["swift", "bash", "py"])
        let rows = try rows(of: article)
        #expect(rows.count > 30)
        for cells in rows {
            try #require(cells.count == 4, "\(cells)")
            for name in cells[3].components(separatedBy: ", ").map({ $0.trimmingCharacters(in: ["`"]) }) {
                // A function, a suite, a check of the container test, or one of the built programs.
                let forms = ["func \(name)(", "struct \(name) ", "\ncheck \(name) ", "\"\(name)\""]
                #expect(forms.contains(where: sources.contains), "\(name)")
            }
        }
    }

    @Test(arguments: ["Limits", "ThreatModel"])
    func allCodeThatATableNamesIsThere(article: String) throws {
        let code = try text(of: "Sources", ["swift", "c", "h"]) + text(of: "systemd", ["service", "socket"])
        let words = Set(code.utf8.split { !Self.wordBytes.contains($0) }.map { Substring($0) })
        for cells in try rows(of: article) {
            for match in cells[2].matches(of: /`([^`(]+)[^`]*`/) {
                let missing = match.1.split(separator: ".").filter { !words.contains($0) }
                #expect(missing.isEmpty, "\(match.0)")
            }
        }
    }
}
