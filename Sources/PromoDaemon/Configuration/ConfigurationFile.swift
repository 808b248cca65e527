import TOMLKit

/// A configuration file's keys and values, each with its line.
struct ConfigurationFile {
    struct Entry {
        let name: String
        let value: ConfigurationValue
        /// From 1; nil where it could not be found.
        let line: Int?
    }

    let entries: [Entry]

    /// Reads TOML.
    /// - Throws: ``ConfigurationProblem`` without a key, for a text that is no TOML.
    init(text: String, path: String) throws(ConfigurationProblem) {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        try Self.checkBounds(lines, path)
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationProblem(
                place: "\(path):\(error.source.begin.line)",
                message: "column \(error.source.begin.column): \(error.description)")
        } catch {
            throw ConfigurationProblem(place: path, message: "\(error)")
        }
        entries = Self.flatten(table, prefix: []).map { path, value in
            Entry(name: path.joined(separator: "."), value: value, line: Self.line(of: path, in: lines))
        }
    }

    /// What the parser below would cut short without a word, or follow so deep that the stack ends.
    private static func checkBounds(_ lines: [Substring], _ path: String) throws(ConfigurationProblem) {
        for (index, line) in lines.enumerated() {
            let place = "\(path):\(index + 1)"
            if ["\0", #"\u0000"#, #"\U00000000"#].contains(where: line.contains) {
                throw ConfigurationProblem(place: place, message: "a NUL character, which no value can hold")
            }
            if line.utf8.count(where: { [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) })
                > maximumParts
            {
                throw ConfigurationProblem(place: place, message: "a line of more than \(maximumParts) parts")
            }
        }
    }

    private static let maximumParts = 100

    private static func flatten(_ table: TOMLTable, prefix: [String]) -> [([String], ConfigurationValue)] {
        table.keys.flatMap { key -> [([String], ConfigurationValue)] in
            let path = prefix + [key]
            guard let value = table[key] else { return [] }
            if let inner = value.table { return inner.isEmpty ? [(path, .table)] : flatten(inner, prefix: path) }
            if value.type == .string, let text = value.string { return [(path, .string(text))] }
            if value.type == .int, let number = value.int { return [(path, .integer(number))] }
            return [(path, .other)]
        }
    }

    /// The parser keeps no positions of keys, so this looks for the line that writes one, below its table's header or dotted.
    private static func line(of path: [String], in lines: [Substring]) -> Int? {
        var table: [String] = []
        for (index, line) in lines.enumerated() {
            let text = line.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            if text.first == "[" {
                table = text.drop { $0 == "[" }.prefix { $0 != "]" }.split(separator: ".").map(String.init)
                continue
            }
            guard let equals = text.firstIndex(of: "=") else { continue }
            let key = table + text[..<equals].split(separator: ".").map(String.init)
            if path.starts(with: key), key.count > table.count { return index + 1 }
        }
        return nil
    }
}
