import PromoWire

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

    /// Whether the text goes on with some characters of ASCII.
    func sees(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Skips some characters of ASCII; false if the text goes on with others.
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

    /// The longest part of a key, in bytes; the longest name that promod knows is shorter.
    private static let maximumKey = 255

    /// Reads a key of one or more parts between dots.
    mutating func readKey() throws(TOMLProblem) -> [OutsideText] {
        var parts: [OutsideText] = []
        repeat {
            skipBlanks()
            parts.append(try readKeyPart())
            skipBlanks()
        } while skip(".")
        return parts
    }

    private mutating func readKeyPart() throws(TOMLProblem) -> OutsideText {
        if sees("\"\"\"") || sees("'''") { throw problem("a key is not longer than a line") }
        let start = self
        let part = if let text = try readString() { text } else { try readBareKey() }
        // Each key of a table is compared together with the table's name.
        guard part.bytes.count <= Self.maximumKey else {
            throw start.problem("a part of a key is longer than \(Self.maximumKey) bytes")
        }
        return part
    }

    private mutating func readBareKey() throws(TOMLProblem) -> OutsideText {
        let part = readWord { Self.isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        if part.isEmpty { throw unexpected(or: "a key or a table's name is missing") }
        return part
    }

    /// Reads the characters of a number, a date or a word without quotes.
    mutating func readBareValue() throws(TOMLProblem) -> String {
        let value = readWord { Self.isLetter($0) || $0.isDigit || "_+-.:".utf8.contains($0) }
        if value.isEmpty { throw unexpected(or: "a value is missing") }
        return value.text
    }

    private mutating func readWord(_ belongs: (UInt8) -> Bool) -> OutsideText {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return OutsideText(bytes[start..<position])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }

    // MARK: Strings

    /// Reads a string of any of the four kinds; nil if the text does not go on with one.
    mutating func readString() throws(TOMLProblem) -> OutsideText? {
        if skip("\"\"\"") { return try readLongString("\"\"\"", hasEscapes: true) }
        if skip("'''") { return try readLongString("'''", hasEscapes: false) }
        if skip("\"") { return try readShortString("\"", hasEscapes: true) }
        if skip("'") { return try readShortString("'", hasEscapes: false) }
        return nil
    }

    private mutating func readShortString(_ quote: String, hasEscapes: Bool) throws(TOMLProblem) -> OutsideText {
        var text: [UInt8] = []
        while !skip(quote) {
            if isAtEnd || sees("\n") || sees("\r\n") { throw problem("the string has no closing quote") }
            try readCharacter(into: &text, hasEscapes: hasEscapes)
        }
        return OutsideText(text)
    }

    private mutating func readLongString(_ quotes: String, hasEscapes: Bool) throws(TOMLProblem) -> OutsideText {
        let start = problem("the string that begins here has no closing quotes")
        var text: [UInt8] = []
        _ = skipLineEnd()
        while !skip(quotes) {
            if isAtEnd { throw start }
            if skipLineEnd() {
                text.append(UInt8(ascii: "\n"))
            } else if hasEscapes, try skipEscapedLineEnd() {
                continue
            } else {
                try readCharacter(into: &text, hasEscapes: hasEscapes)
            }
        }
        // One or two quotes may come before the three that close the string.
        for quote in quotes.utf8.prefix(2) where next == quote {
            text.append(quote)
            position += 1
        }
        return OutsideText(text)
    }

    private mutating func readCharacter(into text: inout [UInt8], hasEscapes: Bool) throws(TOMLProblem) {
        if hasEscapes, skip("\\") {
            text += try readEscape()
        } else {
            try checkControl()
            text.append(bytes[position])
            position += 1
        }
    }

    /// Skips a backslash at the end of a line, with all space up to the next character.
    private mutating func skipEscapedLineEnd() throws(TOMLProblem) -> Bool {
        let before = self
        guard skip("\\") else { return false }
        skipBlanks()
        guard skipLineEnd() else {
            self = before
            return false
        }
        repeat { skipBlanks() } while skipLineEnd()
        return true
    }

    private mutating func readEscape() throws(TOMLProblem) -> [UInt8] {
        let escape = next
        position += isAtEnd ? 0 : 1
        switch escape {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [bytes[position - 1]]
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

    private func checkControl() throws(TOMLProblem) {
        guard let byte = next else { return }
        if byte == 0 { throw nul }
        if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F {
            throw problem("a control character, which has to be written as an escape")
        }
    }

    /// The problem that something else is here than was expected.
    func unexpected(or message: String) -> TOMLProblem {
        switch next {
        case 0: nul
        case .some(0x80...): problem("a character that needs quotes")
        default: problem(message)
        }
    }

    private var nul: TOMLProblem { problem("a NUL character, which no value can hold") }
}
