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
