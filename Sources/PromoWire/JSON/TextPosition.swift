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
