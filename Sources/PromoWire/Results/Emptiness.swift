/// Why a list has no apps.
package enum Emptiness: String, Word {
    /// The rule of the host allows none, or the catalog has no other app.
    case rule
    /// All that the rule allows were excluded by the request.
    case excluded
    /// All that the request did not exclude were launched.
    case launched
    /// There is no catalog, because none is configured.
    case notConfigured = "not-configured"
}
