package import PromoWire

/// A drop-in, valid or not.
package struct CatalogEntry: Equatable, Sendable {
    package let name: String
    /// The path of the drop-in; nil if only the command line configures the catalog.
    package var file: String?
    /// The device and the number of the file, as it was read; nil if they are not known.
    package var fileID: String?
    /// Whether the drop-in came with a package.
    package var isOfPackage = false
    /// The settings that are in force: for a drop-in that has broken, those that it had; for one that was never valid, none.
    package var settings = CatalogSettings()
    /// The path of the catalog that a package may bring beside the drop-in.
    package var bundled: String?
    /// What is wrong in the drop-in, so that the catalog is not fetched; nil if nothing is.
    package var problem: String?

    /// Whether an app of the user has written the drop-in.
    package var isOfApp: Bool { isOfPackage && name.hasPrefix("app-") }

    /// An entry without settings yet.
    package init(name: String, file: String?, fileID: String? = nil) {
        (self.name, self.file, self.fileID) = (name, file, fileID)
    }
}

/// Another name of a catalog: a drop-in that names the same address.
package struct CatalogAlias: Equatable, Sendable {
    package let name: String
    package let file: String
    /// The device and the number of the file; nil if they are not known.
    package let fileID: String?
    /// The error in the drop-in, which does not affect the catalog; nil without one.
    package let error: String?

    /// Creates an alias from its parts.
    package init(name: String, file: String, fileID: String? = nil, error: String? = nil) {
        (self.name, self.file, self.fileID, self.error) = (name, file, fileID, error)
    }
}

/// A drop-in that promod does not use.
package struct IgnoredFile: Equatable, Sendable {
    package let file: String
    /// Why promod ignores it, as a sentence.
    package let error: String
    /// The code of the problem; nil if another drop-in hides it or it is a copy, which is none.
    package let problem: ProblemCode?
    /// The name of its catalog; nil if it has none.
    package let catalog: String?

    /// Creates a report, whose reason is given as a clause. Both texts are made printable.
    package init(
        file: String, error: String, problem: ProblemCode? = .catalogFile, catalog: String? = nil
    ) {
        (self.file, self.error) = (file.printable, error.printable + ".")
        (self.problem, self.catalog) = (problem, catalog)
    }

    /// What the status and the log say of it.
    package var text: String {
        problem == .directory
            ? "\(file) cannot be read, and what was read from it before stays in force: \(error)"
            : "\(file) is ignored: \(error)"
    }
}
