import PromoWire

/// Why and where a text is not TOML that promod reads.
struct TOMLProblem: Error, Equatable {
    /// The number of the line, from 1.
    let line: Int
    /// The number of the byte in the line, from 1.
    let column: Int
    /// What is wrong, as a clause.
    let message: String
}

/// Reads keys, strings and the space between them, byte by byte.
struct TOMLScanner {
    /// The number of the current line, from 1.
    private(set) var line = 1
    private let bytes: [UInt8]
    private var position = 0
    private var lineStart = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// A problem at the next byte.
    func problem(_ message: String) -> TOMLProblem {
        TOMLProblem(line: line, column: position - lineStart + 1, message: message)
    }

    /// The problem of a part of TOML that no key needs.
    func unread(_ what: String) -> TOMLProblem {
        problem("this is \(what), which promod does not read (promod.toml(5) says what it reads)")
    }

    /// The problem of an unexpected character.
    func unexpected(or message: String) -> TOMLProblem {
        switch next {
        case 0: nul
        case .some(0x80...): problem("a character that needs quotes")
        default: problem(message)
        }
    }

    private var nul: TOMLProblem { problem("a NUL character, which no value can hold") }

    private func checkControl() throws(TOMLProblem) {
        guard let byte = next else { return }
        if byte == 0 { throw nul }
        if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F {
            throw problem("a control character, which has to be written as an escape")
        }
    }

    /// Whether the text continues with these ASCII characters.
    func sees(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Skips these ASCII characters; false if the text does not continue with them.
    mutating func skip(_ text: String) -> Bool {
        guard sees(text) else { return false }
        position += text.utf8.count
        return true
    }

    // MARK: Space

    /// Skips blanks and tabs.
    mutating func skipBlanks() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    /// Skips blanks, comments and line ends.
    mutating func skipSpace() throws(TOMLProblem) {
        repeat {
            skipBlanks()
            try skipComment()
        } while skipLineEnd()
    }

    /// Skips blanks, a comment and the end of the line, which has to follow.
    mutating func endLine() throws(TOMLProblem) {
        skipBlanks()
        try skipComment()
        guard skipLineEnd() || isAtEnd else { throw unexpected(or: "the line has to end here") }
    }

    private mutating func skipLineEnd() -> Bool {
        guard skip("\n") || skip("\r\n") else { return false }
        line += 1
        lineStart = position
        return true
    }

    private mutating func skipComment() throws(TOMLProblem) {
        guard next == UInt8(ascii: "#") else { return }
        while !isAtEnd, !sees("\n"), !sees("\r\n") {
            try checkControl()
            position += 1
        }
    }

    // MARK: Keys and words

    /// The longest part of a key, in bytes, which is longer than any name that promod knows.
    private static let maximumKey = 255

    /// Reads a key of one or more parts between dots.
    mutating func readKey() throws(TOMLProblem) -> [String] {
        var parts: [String] = []
        repeat {
            skipBlanks()
            parts.append(try readKeyPart())
            skipBlanks()
        } while skip(".")
        return parts
    }

    private mutating func readKeyPart() throws(TOMLProblem) -> String {
        if sees("\"") || sees("'") { throw unread("a key in quotes") }
        let start = self
        let part = readWord { Self.isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        if part.isEmpty { throw unexpected(or: "a key or a table's name is missing") }
        // The limit bounds the comparisons, in which each key has the name of its table before it.
        guard part.utf8.count <= Self.maximumKey else {
            throw start.problem("a part of a key is longer than \(Self.maximumKey) bytes")
        }
        return part
    }

    /// Reads the characters of a number, a date or a word without quotes.
    mutating func readBareValue() throws(TOMLProblem) -> String {
        let value = readWord { Self.isLetter($0) || $0.isDigit || "_+-.:".utf8.contains($0) }
        if value.isEmpty { throw unexpected(or: "a value is missing") }
        return value
    }

    private mutating func readWord(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }

    // MARK: Strings

    /// Reads a string of one line; nil if the text does not continue with one.
    mutating func readString() throws(TOMLProblem) -> OutsideText? {
        if sees("\"\"\"") || sees("'''") { throw unread("a string of several lines") }
        guard let quote = ["\"", "'"].first(where: sees) else { return nil }
        _ = skip(quote)
        var text: [UInt8] = []
        while !skip(quote) {
            if isAtEnd || sees("\n") || sees("\r\n") { throw problem("the string has no closing quote") }
            if quote == "\"", skip("\\") {
                text += try readEscape()
            } else {
                try checkControl()
                text.append(bytes[position])
                position += 1
            }
        }
        return OutsideText(text)
    }

    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("btnfr\"\\".utf8, "\u{8}\t\n\u{c}\r\"\\".utf8))

    private mutating func readEscape() throws(TOMLProblem) -> [UInt8] {
        let escape = next
        position += isAtEnd ? 0 : 1
        if let escape, let byte = Self.escapes[escape] { return [byte] }
        switch escape {
        case UInt8(ascii: "u"): return try readScalar(digits: 4)
        case UInt8(ascii: "U"): return try readScalar(digits: 8)
        default: throw problem("a backslash needs one of b t n f r \" \\ u U after it, or the text single quotes")
        }
    }

    private mutating func readScalar(digits: Int) throws(TOMLProblem) -> [UInt8] {
        let text = bytes[position...].prefix(digits)
        guard text.count == digits, text.allSatisfy(\.isHexadecimalDigit),
            let number = UInt32(String(decoding: text, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(number)
        else { throw problem("this is not the number of a character") }
        if number == 0 { throw nul }
        position += digits
        return Array(String(Character(scalar)).utf8)
    }
}
