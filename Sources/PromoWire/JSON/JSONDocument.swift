/// A JSON text that was checked completely, with an index of its values. A string is decoded only when it is used.
package final class JSONDocument: Sendable {
    /// A value or a member's name: a span of the text, and the place in the index of the value after it.
    struct Node: Sendable {
        var kind: JSONValue.Kind
        /// Whether the string in the span has escapes.
        var isEscaped = false
        /// The span in the text, without the quotes of a string.
        var start: Int32
        var end: Int32
        /// The index after this value and everything in it.
        var next: Int32
    }

    /// The text.
    package let bytes: [UInt8]
    /// The values in the order of the text; in an object, each value follows its name.
    let nodes: [Node]

    /// Checks a text and indexes it.
    /// - Parameter maximumDepth: the deepest nesting of arrays and objects.
    /// - Throws: ``JSONError`` for the first error.
    package init(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
        self.nodes = try JSONParser.index(bytes, maximumDepth: maximumDepth)
        self.bytes = bytes
    }

    /// The value of the whole text.
    package var root: JSONValue { JSONValue(document: self, index: 0) }

    /// The lines and columns of bytes of the text, in the order given.
    package func positions(of offsets: [Int]) -> [TextPosition] {
        TextPosition.positions(of: offsets, in: bytes)
    }
}

/// A place in a text as editors show it. Both numbers begin at 1.
package struct TextPosition: Equatable, Sendable, CustomStringConvertible {
    /// The line. Only a line feed ends a line.
    package let line: Int
    /// The column, in Unicode scalars.
    package let column: Int

    /// Creates a place from its line and column.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place of a byte in a UTF-8 text.
    package init(of offset: Int, in text: [UInt8]) {
        self = Self.positions(of: [offset], in: text)[0]
    }

    /// The place in the form of a compiler's message.
    package var description: String { "\(line):\(column)" }

    /// The place within a sentence.
    package var words: String { "line \(line), column \(column)" }

    /// The places of bytes in a UTF-8 text, in the order given, found in one pass over the text.
    static func positions(of offsets: [Int], in text: [UInt8]) -> [TextPosition] {
        var positions = Array(repeating: TextPosition(line: 1, column: 1), count: offsets.count)
        var (line, column, next) = (1, 1, 0)
        for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            let end = min(offsets[index], text.count)
            for byte in text[next..<end] {
                if byte == UInt8(ascii: "\n") {
                    (line, column) = (line + 1, 1)
                } else if byte & 0xC0 != 0x80 {
                    column += 1
                }
            }
            next = end
            positions[index] = TextPosition(line: line, column: column)
        }
        return positions
    }
}

/// Why bytes are not a strict JSON text (RFC 8259), and where.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Problem: Equatable, Sendable {
        case empty
        case byteOrderMark
        case invalidUTF8
        case unexpected(expected: String)
        case endOfText
        case trailingBytes
        case trailingComma
        case controlCharacter
        case badEscape
        case loneSurrogate
        case badNumber
        case duplicateMember(String)
        case tooDeep(limit: Int)
        case tooLarge
    }

    /// The kind of the error.
    package let problem: Problem
    /// The offset of the first wrong byte, from 0.
    package let offset: Int
    /// The character there, if it is a control character or none of ASCII.
    package var found: Unicode.Scalar?

    package var description: String {
        "\(problem.sentence) at byte \(offset)\(found.map { ", where there is \($0.named)" } ?? "")"
    }
}

extension JSONError.Problem {
    fileprivate var sentence: String {
        switch self {
        case .empty: "no JSON value"
        case .byteOrderMark: "a byte order mark, which JSON does not allow,"
        case .invalidUTF8: "invalid UTF-8"
        case .unexpected(let expected): "expected \(expected)"
        case .endOfText: "the text ends too early,"
        case .trailingBytes: "something follows the JSON value"
        case .trailingComma: "a comma with nothing after it"
        case .controlCharacter: "a control character in a string, which has to be escaped,"
        case .badEscape: "an escape that JSON does not know"
        case .loneSurrogate: "half of a surrogate pair"
        case .badNumber: "a malformed number"
        case .duplicateMember(let name): "the member \"\(name)\" for the second time"
        case .tooDeep(let limit): "nesting deeper than \(limit) levels"
        case .tooLarge: "a text over 2 GiB"
        }
    }
}
