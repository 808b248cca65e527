package import PromoWire

/// Why bytes are no catalog.
package enum CatalogError: Error, Equatable, Sendable {
    /// They are no strict JSON text.
    case json(JSONError)
    /// They break rules, at least one.
    case schema([CatalogFinding])

    /// The failure of a fetch that brought such bytes: the first finding, and how many more there are.
    package var failure: Failure {
        switch self {
        case .json(let error):
            Failure(.json, "The catalog is no strict JSON text: \(error).")
        case .schema(let findings):
            Failure(
                .schema,
                "The catalog breaks a rule: \(findings[0])"
                    + (findings.count > 1 ? " And \(findings.count - 1) more; promod validate lists them." : ""))
        }
    }
}

/// A broken rule and where.
package struct CatalogFinding: Equatable, Sendable, CustomStringConvertible {
    /// The spot, as a JSON Pointer (RFC 6901) in which long names are cut short; empty for the whole text.
    package let pointer: String
    /// What is wrong there, as a sentence.
    package let message: String

    package var description: String {
        "\(pointer.isEmpty ? "(root)" : pointer): \(message)"
    }
}
