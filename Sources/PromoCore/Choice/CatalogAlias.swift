/// Another name of a catalog: a file that names the same address.
package struct CatalogAlias: Equatable, Sendable {
    package let name: String
    package let file: String
    /// The error in the file, which does not affect the catalog; nil without one.
    package let error: String?

    /// Creates an alias from its parts.
    package init(name: String, file: String, error: String? = nil) {
        (self.name, self.file, self.error) = (name, file, error)
    }
}

/// A file of a catalog that promod does not use.
package struct IgnoredFile: Equatable, Sendable {
    /// Why promod does not use it.
    package enum Cause: Equatable, Sendable {
        /// The file or its directory cannot be read, or its name is not that of a catalog.
        case invalid
        /// A more important file configures or hides the catalog of its name.
        case hidden
        /// There are too many catalogs.
        case limit
    }

    package var file: String
    /// Why promod ignores it, as a sentence.
    package var error: String
    package let cause: Cause
    /// The name of its catalog; nil if it has none.
    package let catalog: String?

    /// Creates a report from its parts.
    package init(file: String, error: String, cause: Cause = .invalid, catalog: String? = nil) {
        (self.file, self.error, self.cause, self.catalog) = (file, error, cause, catalog)
    }
}
