import TOMLKit

/// A configuration file's keys and values, each with its line.
struct ConfigurationFile: Sendable {
    struct Entry: Sendable {
        let name: String
        let value: ConfigurationValue
        /// The number of the line, from 1; nil if it was not found.
        let line: Int?
    }

    /// Far more than all keys with long comments need.
    static let maximumBytes = 1 << 16

    let entries: [Entry]

    /// Reads TOML in UTF-8, with or without a byte order mark.
    /// - Throws: ``ConfigurationProblem`` if the bytes are not such a text.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationProblem) {
        let bytes = bytes.starts(with: "\u{FEFF}".utf8) ? Array(bytes.dropFirst(3)) : bytes
        let text = try Self.text(bytes, path)
        let outline: TOMLOutline
        do {
            outline = try TOMLOutline(bytes)
        } catch {
            throw ConfigurationProblem(place: "\(path):\(error.line)", message: error.message)
        }
        entries = Self.flatten(try Self.parse(text, path), prefix: []).map { path, value in
            Entry(name: path.joined(separator: "."), value: value, line: outline.line(of: path))
        }
    }

    /// Decodes UTF-8.
    /// - Throws: ``ConfigurationProblem`` with the first line that is not UTF-8.
    static func text(_ bytes: [UInt8], _ path: String) throws(ConfigurationProblem) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // In UTF-8, a line feed is never part of a longer character, so each line can be checked separately.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw ConfigurationProblem(
            place: line.map { "\(path):\($0 + 1)" } ?? path, message: "the text is not valid UTF-8")
    }

    private static func parse(_ text: String, _ path: String) throws(ConfigurationProblem) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationProblem(
                place: "\(path):\(error.source.begin.line)",
                message: "column \(error.source.begin.column): \(error.description)")
        } catch {
            throw ConfigurationProblem(place: path, message: "\(error)")
        }
    }

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
}
