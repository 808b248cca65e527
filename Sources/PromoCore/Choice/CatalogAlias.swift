package import PromoWire

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
    package var file: String
    /// Why promod ignores it, as a sentence.
    package var error: String
    /// The code of the problem; nil if another file hides it, which only a request for its catalog reports.
    package let problem: ProblemCode?
    /// The name of its catalog; nil if it has none.
    package let catalog: String?

    /// Creates a report from its parts.
    package init(
        file: String, error: String, problem: ProblemCode? = .catalogFile, catalog: String? = nil
    ) {
        (self.file, self.error, self.problem, self.catalog) = (file, error, problem, catalog)
    }
}
