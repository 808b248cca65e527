import PromoWire

/// Edits one key of a configuration file, and preserves everything else in it, including comments and order.
package enum ConfigurationEdit {
    /// The beginning of a new file.
    package static let preamble = """
        # promod's configuration, created by promoctl setup.
        # promod --print-configuration lists every key; promoctl reload puts changes into force.

        """

    /// The text with a key set to a string, or removed.
    /// - Parameters:
    ///   - key: table, dot, key; in a drop-in, the key alone.
    ///   - value: a string that needs no escapes in quotes; nil to remove the key.
    /// - Throws: ``ConfigurationProblem`` if the text is not TOML that promod reads, or is written in a way that cannot be edited.
    package static func set(
        _ key: String, to value: String?, in text: String, path: String
    ) throws(ConfigurationProblem) -> String {
        let before = try ConfigurationFile(Array(text.utf8), path: path).entries
        let old = before.first { $0.name == key }
        if value == nil && old == nil { return text }
        // Split as bytes, because "\r\n" is one character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        if let value {
            set(key, "= \"\(value)\"", in: &lines, old?.line, before)
        } else if let old {
            remove(key, at: old.line - 1, from: &lines)
        }
        let edited = lines.joined(separator: "\n")
        let after = (try? ConfigurationFile(Array(edited.utf8), path: path))?.entries
        guard let after, others(after, than: key) == others(before, than: key),
            after.first(where: { $0.name == key })?.value == value.map({ .string(OutsideText($0)) })
        else {
            let remedy = value.map { "add this to it yourself: \(key) = \"\($0)\"" } ?? "remove \(key) from it yourself"
            throw ConfigurationProblem(
                place: path, message: "promod cannot edit the file as it is written; \(remedy)")
        }
        return edited
    }

    /// The string that is the value of a key in a text; nil if there is none.
    package static func string(_ key: String, in text: String, path: String) -> String? {
        let entries = try? ConfigurationFile(Array(text.utf8), path: path).entries
        return entries?.first { $0.name == key }?.value.text
    }

    private static func set(
        _ key: String, _ assignment: String, in lines: inout [String], _ line: Int?,
        _ entries: [ConfigurationFile.Entry]
    ) {
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        let (table, name) = (parts[0], parts[parts.count - 1])
        if let line {
            lines[line - 1] = replacingValue(of: lines[line - 1], with: assignment)
        } else if !key.contains(".") {
            // Behind the comments at the beginning, and before any table.
            let start = lines.firstIndex { $0.utf8.first != UInt8(ascii: "#") } ?? lines.endIndex
            lines.insert("\(name) \(assignment)", at: start)
        } else if let header = lines.firstIndex(where: { isHeader($0, of: table) }) {
            lines.insert("\(name) \(assignment)", at: header + 1)
        } else if let line = entries.first(where: { $0.name.hasPrefix(table + ".") })?.line {
            lines.insert("\(key) \(assignment)", at: line - 1)
        } else {
            if lines.last?.isEmpty == true { lines.removeLast() }
            if !lines.isEmpty { lines.append("") }
            lines += ["[\(table)]", "\(name) \(assignment)", ""]
        }
    }

    /// Removes the key's line, and the header of its table if the table is empty then.
    private static func remove(_ key: String, at index: Int, from lines: inout [String]) {
        lines.remove(at: index)
        let table = String(key.prefix { $0 != "." })
        let header = lines.firstIndex { isHeader($0, of: table) && !$0.utf8.contains(UInt8(ascii: "#")) }
        guard let header else { return }
        let end = lines[(header + 1)...].firstIndex { $0.utf8.first == UInt8(ascii: "[") } ?? lines.endIndex
        if lines[(header + 1)..<end].allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
            lines.removeSubrange(header..<end)
        }
    }

    /// The line with a new value; a comment after the value is kept.
    private static func replacingValue(of line: String, with assignment: String) -> String {
        let left = line.prefix { $0 != "=" }
        let old = line.dropFirst(left.count + 1).drop { $0 == " " || $0 == "\t" }
        var comment = Substring()
        if let quote = old.first, quote == "\"" || quote == "'" {
            let rest = old.dropFirst().drop { $0 != quote }.dropFirst()
            if rest.contains("#") { comment = rest }
        }
        return left + assignment + comment
    }

    private static func isHeader(_ line: String, of table: String) -> Bool {
        line.utf8.prefix { $0 != UInt8(ascii: "#") }.filter { $0 > 0x20 }.elementsEqual("[\(table)]".utf8)
    }

    private static func others(
        _ entries: [ConfigurationFile.Entry], than key: String
    ) -> [String: ConfigurationValue] {
        let pairs = entries.filter { $0.name != key && $0.value != .table }.map { ($0.name, $0.value) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
