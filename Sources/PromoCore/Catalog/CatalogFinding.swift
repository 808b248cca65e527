package import PromoWire

/// A broken rule or a probable mistake at a spot of a catalog.
package struct CatalogFinding: Equatable, Sendable, CustomStringConvertible {
    /// The spot, as a JSON Pointer (RFC 6901) in which long names are shortened; empty for the whole text.
    package let pointer: String
    /// The spot's line and column, counted after the byte order mark if there is one.
    package let position: TextPosition
    /// The message, in whole sentences.
    package let message: String

    package var description: String {
        "\(pointer.isEmpty ? "(root)" : pointer): \(message)"
    }
}
