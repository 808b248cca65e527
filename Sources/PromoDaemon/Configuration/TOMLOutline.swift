import PromoWire

/// The result of one pass over a TOML text before it is parsed: the line of each key. Texts that would harm the parser are refused.
///
/// The parser keeps no positions, treats a NUL as the end of the text, takes seconds for thousands of levels, and ends the process at a
/// header without a name and at some characters outside ASCII.
/// This pass and the parser agree about strings and comments up to the first error in the text, where the parser stops.
struct TOMLOutline {
    /// Why a text is not parsed.
    struct Refusal: Error {
        let line: Int
        let message: String
    }

    /// No key of the configuration has more than two parts, and none takes a list.
    static let maximumDepth = 16

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lines: [[String]: Int] = [:]
    /// The parts of the current table's name.
    private var table: [String] = []
    /// The parts of the current key before its equals sign, or of the current header.
    private var parts: [[UInt8]] = [[]]
    private var statement = Statement.key
    /// Whether a header has begun and its name has not.
    private var isNameDue = false
    /// The number of open brackets and braces in the current value.
    private var depth = 0
    /// The number of dots since the last byte that ends a key.
    private var dots = 0

    private enum Statement {
        case key, header, rest
    }

    /// Reads a text.
    /// - Throws: ``Refusal`` if it has a NUL, is nested too deeply, has a header without a name, or has other characters than ASCII
    ///   outside strings and comments.
    init(_ bytes: [UInt8]) throws(Refusal) {
        self.bytes = bytes
        while position < bytes.count { try step() }
    }

    /// The line, from 1, of a key, or of the value that contains it.
    func line(of path: [String]) -> Int? {
        for count in stride(from: path.count, to: 0, by: -1) {
            if let line = lines[Array(path.prefix(count))] { return line }
        }
        return nil
    }

    private mutating func step() throws(Refusal) {
        let byte = bytes[position]
        try checkName(byte)
        switch byte {
        case 0: throw nul
        case 0x80...: throw refusal("a character that needs quotes")
        case UInt8(ascii: "\n"): endLine()
        case UInt8(ascii: "#"): return skipComment()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readString(quote: byte)
        case UInt8(ascii: "["), UInt8(ascii: "{"): try open(byte)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): close()
        case UInt8(ascii: "."): try separate()
        case UInt8(ascii: "="): endKey()
        case UInt8(ascii: ","): dots = 0
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
        default: append(byte)
        }
        position += 1
    }

    // MARK: Keys

    private mutating func checkName(_ byte: UInt8) throws(Refusal) {
        guard isNameDue, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "[") else {
            return
        }
        guard 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte.isDigit || "-_\"'".utf8.contains(byte) else {
            throw refusal("a table's name is missing after the bracket")
        }
        isNameDue = false
    }

    private mutating func append(_ byte: UInt8) {
        if statement != .rest { parts[parts.count - 1].append(byte) }
    }

    private mutating func separate() throws(Refusal) {
        dots += 1
        guard dots < Self.maximumDepth else { throw tooDeep }
        if statement != .rest { parts.append([]) }
    }

    private mutating func endKey() {
        dots = 0
        if statement == .key { note(table + names) }
        statement = .rest
    }

    private mutating func endLine() {
        line += 1
        guard depth == 0 else { return }
        (statement, parts, dots) = (.key, [[]], 0)
    }

    private mutating func note(_ path: [String]) {
        if lines[path] == nil { lines[path] = line }
    }

    private var names: [String] { parts.map { String(decoding: $0, as: UTF8.self) } }

    // MARK: Brackets

    private mutating func open(_ byte: UInt8) throws(Refusal) {
        dots = 0
        switch statement {
        case .key where byte == UInt8(ascii: "["): (statement, isNameDue) = (.header, true)
        // The second bracket of an array of tables.
        case .key, .header: break
        case .rest:
            depth += 1
            guard depth <= Self.maximumDepth else { throw tooDeep }
        }
    }

    private mutating func close() {
        dots = 0
        if statement == .header {
            table = names
            note(table)
            statement = .rest
        } else if depth > 0 {
            depth -= 1
        }
    }

    // MARK: Strings and comments

    private mutating func skipComment() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), bytes[position] != 0 { position += 1 }
    }

    /// Moves after a string, or to the end of the line if the string is not closed.
    private mutating func readString(quote: UInt8) throws(Refusal) {
        let isLong = bytes[position...].prefix(3).elementsEqual([quote, quote, quote])
        position += isLong ? 3 : 1
        while position < bytes.count {
            switch bytes[position] {
            case 0: throw nul
            case UInt8(ascii: "\n"):
                guard isLong else { return }
                line += 1
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                try skipEscape()
                continue
            case quote where !isLong:
                position += 1
                return
            case quote where bytes[position...].prefix(3).elementsEqual([quote, quote, quote]):
                // One or two quotes may come before the three that close the string.
                position += bytes[position...].prefix(5).prefix { $0 == quote }.count
                return
            case let byte: append(byte)
            }
            position += 1
        }
    }

    /// Moves after a backslash and the byte that it escapes, but not after a line feed, which still has to be counted.
    private mutating func skipEscape() throws(Refusal) {
        let escape = bytes[position...].dropFirst()
        if escape.starts(with: "u0000".utf8) || escape.starts(with: "U00000000".utf8) { throw nul }
        position += escape.first == UInt8(ascii: "\n") || escape.first == 0 ? 1 : 2
    }

    private var nul: Refusal { refusal("a NUL character, which no value can hold") }

    private var tooDeep: Refusal { refusal("nested more than \(Self.maximumDepth) levels deep") }

    private func refusal(_ message: String) -> Refusal { Refusal(line: line, message: message) }
}
