import PromoWire

/// Edits a configuration file, and preserves everything else in it, including comments and order.
package enum ConfigurationEdit {
    /// Returns a text in which a key has a string as its value.
    /// - Parameters:
    ///   - key: table, dot, key; in a drop-in, the key alone.
    ///   - value: must need no escapes in quotes.
    /// - Throws: ``ConfigurationProblem`` if the text is not TOML, or is written in a way that cannot be edited here.
    package static func set(
        _ key: String, to value: String, in text: String, path: String
    ) throws(ConfigurationProblem) -> String {
        let before = try ConfigurationFile(Array(text.utf8), path: path).entries
        let edited = edit(text, key, value, before)
        let after = try? ConfigurationFile(Array(edited.utf8), path: path).entries
        guard let after, others(after, than: key) == others(before, than: key),
            after.contains(where: { $0.name == key && $0.value == .string(OutsideText(value)) })
        else {
            throw ConfigurationProblem(
                place: path,
                message: "promod cannot edit the file as it is written; add this to it yourself: \(key) = \"\(value)\"")
        }
        return edited
    }

    /// The string that is the value of a key in a text; nil if there is none.
    package static func string(_ key: String, in text: String, path: String) -> String? {
        let entries = try? ConfigurationFile(Array(text.utf8), path: path).entries
        return entries?.first { $0.name == key }?.value.text
    }

    /// Returns a text without a key, and without the header of its table if nothing else is in that.
    /// - Throws: ``ConfigurationProblem`` if the text is not TOML, or is written in a way that cannot be edited here.
    package static func remove(
        _ key: String, from text: String, path: String
    ) throws(ConfigurationProblem) -> String {
        let before = try ConfigurationFile(Array(text.utf8), path: path).entries
        guard let entry = before.first(where: { $0.name == key }) else { return text }
        var lines = lines(of: text)
        let table = key.prefix { $0 != "." }
        lines.remove(at: entry.line - 1)
        if let header = lines.firstIndex(where: {
            isHeader($0, of: String(table)) && !$0.utf8.contains(UInt8(ascii: "#"))
        }) {
            let end = lines[(header + 1)...].firstIndex { $0.utf8.first == UInt8(ascii: "[") } ?? lines.endIndex
            if lines[(header + 1)..<end].allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
                lines.removeSubrange(header..<end)
            }
        }
        let edited = lines.joined(separator: "\n")
        let after = try? ConfigurationFile(Array(edited.utf8), path: path).entries
        guard let after, others(after, than: key) == others(before, than: key),
            !after.contains(where: { $0.name == key })
        else {
            throw ConfigurationProblem(
                place: path,
                message: "promod cannot edit the file as it is written; remove \(key) from it yourself")
        }
        return edited
    }

    private static func lines(of text: String) -> [String] {
        // Bytes are split, because "\r\n" is one character.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The beginning of a new file.
    package static let preamble = """
        # promod's configuration, created by promoctl setup.
        # promod --print-configuration lists every key; promoctl reload puts changes into force.

        """

    private static func edit(
        _ text: String, _ key: String, _ value: String, _ entries: [ConfigurationFile.Entry]
    ) -> String {
        var lines = lines(of: text)
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        let (table, name) = (parts[0], parts[parts.count - 1])
        let assignment = "= \"\(value)\""
        if let line = entries.first(where: { $0.name == key })?.line {
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
        return lines.joined(separator: "\n")
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
