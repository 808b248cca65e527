package import PromoWire

/// The files of catalogs that are not used: the first ones with their reasons, and the number of the others.
package struct IgnoredFiles: Equatable, Sendable {
    /// The most files whose reasons are kept.
    package static let maximumCount = 32

    package private(set) var files: [IgnoredFile] = []
    package private(set) var more = 0

    /// Whether a further file is only counted.
    var isFull: Bool { files.count == Self.maximumCount }

    /// Adds a file, whose reason is a clause.
    mutating func add(_ file: IgnoredFile) {
        guard !isFull else { return count() }
        var file = file
        (file.file, file.error) = (file.file.printable, file.error.printable + ".")
        files.append(file)
    }

    /// Counts one more.
    mutating func count() { more += 1 }
}

extension IgnoredFile {
    /// The file of a catalog.
    init(_ catalog: NamedCatalog, cause: Cause, error: String) {
        self.init(
            file: catalog.file, error: error, cause: cause, catalog: catalog.name,
            address: catalog.configuration.url?.description)
    }
}
