import PromoWire

/// A configuration file's keys and values, each with its line: the part of TOML 1.0 that promod.toml(5) describes.
struct ConfigurationFile {
    /// A key with its value.
    struct Entry: Equatable {
        /// Table and key, with dots between their parts.
        let name: String
        let value: ConfigurationValue
        /// The number of the line, from 1.
        let line: Int
    }

    /// Far more than all keys with long comments need.
    static let maximumBytes = 1 << 16
    /// The longest name in bytes, which bounds the memory for many keys in a table with a long name.
    static let maximumName = 255

    private(set) var entries: [Entry] = []
    private let path: String
    private var rest: ArraySlice<UInt8>
    private var line = 1

    /// Reads a text in UTF-8, with or without a byte order mark.
    /// - Throws: ``ConfigurationProblem`` if the bytes are not such a text.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationProblem) {
        self.path = path
        rest = bytes.starts(with: "\u{FEFF}".utf8) ? bytes[3...] : bytes[...]
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Self.notUTF8(bytes, path) }
        try refuseControls()
        var (table, names, tables): (String, Set<String>, Set<String>) = ("", [], [])
        while !skipSpace() {
            let start = line
            if skip("[") {
                table = try readName(in: "")
                guard skip("]") else { throw problem("a closing bracket is missing after the table's name") }
                guard tables.insert(table).inserted else { throw problem("the table \(table) is defined twice") }
            } else {
                let name = try readName(in: table)
                guard skip("=") else { throw problem("an equals sign is missing after the key") }
                guard names.insert(name).inserted else { throw problem("\(name) is defined twice") }
                // A key with dots defines tables, too.
                let parts = name.split(separator: ".").dropLast()
                let depth = table.isEmpty ? 0 : table.split(separator: ".").count
                tables.formUnion(parts.indices.dropFirst(depth).map { parts[...$0].joined(separator: ".") })
                entries.append(Entry(name: name, value: try readValue(), line: start))
            }
            skipBlanks()
            guard rest.isEmpty || sees("#") || sees("\n") else { throw problem("the line has to end here") }
        }
    }

    private static func notUTF8(_ bytes: [UInt8], _ path: String) -> ConfigurationProblem {
        // In UTF-8, a line feed is never part of a longer character, so each line can be checked separately.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return ConfigurationProblem(place: "\(path):\(line + 1)", message: "the text is not valid UTF-8")
    }

    /// Refuses control characters, and a carriage return that ends no line, in comments, too: a text with no other line ends would be one
    /// comment.
    private mutating func refuseControls() throws(ConfigurationProblem) {
        let place = rest.indices.first { index in
            switch rest[index] {
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
            case UInt8(ascii: "\r"): rest[(index + 1)...].first != UInt8(ascii: "\n")
            case let byte: byte < 0x20 || byte == 0x7F
            }
        }
        guard let place else { return }
        line += rest[..<place].count { $0 == UInt8(ascii: "\n") }
        rest = rest[place...]
        throw problem(sees("\r") ? "a carriage return without a line feed" : "a control character")
    }

    /// A problem, with the character that comes next if it may be the reason, because it is not visible ASCII.
    private func problem(_ message: String) -> ConfigurationProblem {
        let isOdd =
            rest.first.map { !(0x20...0x7E ~= $0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")) } ?? false
        let odd = isOdd ? " (here is \(rest.scalar(at: rest.startIndex).named))" : ""
        return ConfigurationProblem(place: "\(path):\(line)", message: message + odd)
    }

    private func sees(_ character: String) -> Bool { rest.starts(with: character.utf8) }

    private mutating func skip(_ character: String) -> Bool {
        guard sees(character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }

    /// Skips blanks, comments and line ends.
    /// - Returns: whether the text has ended.
    private mutating func skipSpace() -> Bool {
        skipBlanks()
        while sees("#") || sees("\n") {
            if sees("#") { rest = rest.drop { $0 != UInt8(ascii: "\n") } }
            if skip("\n") { line += 1 }
            skipBlanks()
        }
        return rest.isEmpty
    }

    private mutating func readName(in table: String) throws(ConfigurationProblem) -> String {
        skipBlanks()
        let word = readWord("_-.")
        skipBlanks()
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard !parts.contains("") else { throw problem("a key or a table's name is missing") }
        let name = table.isEmpty ? word : "\(table).\(word)"
        guard name.utf8.count <= Self.maximumName else {
            throw problem("the key's name is longer than \(Self.maximumName) bytes")
        }
        return name
    }

    /// Reads ASCII letters and digits, and these characters.
    private mutating func readWord(_ others: String) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let word = rest.prefix { letters ~= $0 | 0x20 || $0.isDigit || others.utf8.contains($0) }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func readValue() throws(ConfigurationProblem) -> ConfigurationValue {
        skipBlanks()
        if skip("[") { return .list(try readList()) }
        if let text = try readString() { return .string(text) }
        let word = readWord("_+-.:")
        guard !word.isEmpty else { throw problem("a value is missing") }
        let digits = word.utf8.drop { "+-".utf8.contains($0) }
        guard digits.first != UInt8(ascii: "0") || digits.dropFirst().first?.isDigit != true else {
            throw problem("a number does not begin with 0")
        }
        guard word.first?.isLetter == false || Bool(word) != nil else { throw problem("a string needs quotes") }
        return .word(word)
    }

    private mutating func readList() throws(ConfigurationProblem) -> [OutsideText] {
        var texts: [OutsideText] = []
        while true {
            if skipSpace() { throw problem("the list has no closing bracket") }
            if skip("]") { return texts }
            guard let text = try readString() else { throw problem("a list holds strings in quotes") }
            texts.append(text)
            _ = skipSpace()
            guard skip(",") || sees("]") else { throw problem("a comma or a closing bracket is missing in the list") }
        }
    }

    /// Reads a string of one line; nil if the text does not continue with one.
    private mutating func readString() throws(ConfigurationProblem) -> OutsideText? {
        guard let quote = ["\"", "'"].first(where: sees) else { return nil }
        _ = skip(quote)
        var text: [UInt8] = []
        while !skip(quote) {
            guard let byte = rest.popFirst(), byte != UInt8(ascii: "\n") else {
                throw problem("the string has no closing quote")
            }
            guard quote == "\"", byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escape = rest.popFirst(), let escaped = Self.escapes[escape] else {
                throw problem("a backslash needs one of b t n f r \" \\ after it, or the string needs single quotes")
            }
            text.append(escaped)
        }
        return OutsideText(text)
    }

    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("btnfr\"\\".utf8, "\u{8}\t\n\u{c}\r\"\\".utf8))
}
