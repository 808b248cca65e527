package import PromoWire

/// Something to say about a spot of a catalog: a broken rule, or a probable slip.
package struct CatalogFinding: Equatable, Sendable, CustomStringConvertible {
    /// The spot, as a JSON Pointer (RFC 6901) in which long names are cut short; empty for the whole text.
    package let pointer: String
    /// The spot's line and column, behind the byte order mark if there is one.
    package let position: TextPosition
    /// What is to be said, in whole sentences.
    package let message: String

    package var description: String {
        "\(pointer.isEmpty ? "(root)" : pointer): \(message)"
    }
}
