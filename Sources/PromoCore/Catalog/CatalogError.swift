package import PromoWire

/// Why bytes are not a catalog.
package enum CatalogError: Error, Equatable, Sendable {
    /// They are an HTML page.
    case html
    /// They are not strict JSON, perhaps for a common reason.
    case json(JSONError, at: TextPosition, CommonMistake?)
    /// They break at least one rule.
    case schema([CatalogFinding])

    /// The message for an HTML page.
    package static let htmlPage =
        "The catalog is an HTML page, not JSON. It may be an error page, the sign-in page of a network, or a page that "
        + "shows the file in place of the file itself."

    /// Why a text is not JSON.
    package static func notJSON(_ error: JSONError, _ mistake: CommonMistake?) -> String {
        "not strict JSON: \(mistake?.rawValue ?? "\(error)")"
    }

    /// The failure of a fetch that returned these bytes, with the first finding and the number of the others.
    package var failure: Failure {
        switch self {
        case .html:
            Failure(.json, Self.htmlPage)
        case .json(let error, let position, let mistake):
            Failure(.json, "The catalog is \(Self.notJSON(error, mistake)) (\(position.words)).")
        case .schema(let findings):
            Failure(
                .schema,
                "The catalog breaks a rule at \(findings[0].position.words), "
                    + "\(findings[0].pointer.isEmpty ? "(root)" : findings[0].pointer): \(findings[0].message)"
                    + (findings.count > 1 ? " And \(findings.count - 1) more; promod validate lists them." : ""))
        }
    }
}
