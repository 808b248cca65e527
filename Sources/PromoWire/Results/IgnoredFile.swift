/// A file of a catalog that promod ignores, as `status` reports it.
package struct IgnoredFile: Equatable, Sendable {
    package var file: String
    /// Why promod ignores it.
    package var error: String

    /// Creates the report from its parts.
    package init(file: String, error: String) {
        self.file = file
        self.error = error
    }
}
