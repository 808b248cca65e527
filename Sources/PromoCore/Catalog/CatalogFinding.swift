package import PromoWire

/// A broken rule of a catalog, or a probable mistake.
package struct CatalogFinding: JSONWritable, Equatable, Sendable {
    /// The line and column, counted after the byte order mark if there is one.
    package let position: TextPosition
    /// A JSON Pointer (RFC 6901) in which long names are cut; empty for the whole text.
    package let pointer: String
    /// What is wrong and what to do, in whole sentences.
    package let message: String

    /// Creates a finding, by default about the whole text.
    package init(position: TextPosition = TextPosition(line: 1, column: 1), pointer: String = "", message: String) {
        (self.position, self.pointer, self.message) = (position, pointer, message)
    }

    /// The finding in the form of a compiler's message, without the name of the file.
    package var line: String { "\(position): \(text)" }

    /// The finding without its position.
    package var text: String { pointer.isEmpty ? message : "\(pointer): \(message)" }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("line", position.line)
            writer.member("column", position.column)
            writer.member("pointer", pointer)
            writer.member("message", message)
        }
    }
}
