/// A JSON text that was checked whole, with an index of its values; strings are decoded only where they are asked for.
package final class JSONDocument: Sendable {
    /// A value or a member's name: a span of the text, and where the value after it lies in the index.
    struct Node: Sendable {
        var kind: JSONValue.Kind
        /// Whether a string's span has to be unescaped.
        var isEscaped = false
        /// The span in the text, without the quotes of a string.
        var start: Int32
        var end: Int32
        /// The index after this value and everything in it.
        var next: Int32
    }

    /// The text.
    let bytes: [UInt8]
    /// The values in the order of the text; in an object each value stands behind its name.
    let nodes: [Node]

    /// Checks a text and indexes it.
    /// - Parameter maximumDepth: how many arrays and objects may lie in one another.
    /// - Throws: ``JSONError``, for the first thing wrong.
    package init(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
        self.nodes = try JSONParser.index(bytes, maximumDepth: maximumDepth)
        self.bytes = bytes
    }

    /// The value that the text is.
    package var root: JSONValue { JSONValue(document: self, index: 0) }

    /// The lines and columns of bytes of the text, in the order given.
    package func positions(of offsets: [Int]) -> [TextPosition] {
        TextPosition.positions(of: offsets, in: bytes)
    }
}
