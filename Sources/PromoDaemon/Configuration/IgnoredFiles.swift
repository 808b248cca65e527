package import PromoWire

/// The files of catalogs that are not used: the first ones with their reasons, and the number of the others.
package struct IgnoredFiles: Equatable, Sendable {
    /// The most files whose reasons are kept.
    package static let maximumCount = 32

    package private(set) var files: [IgnoredFile] = []
    package private(set) var more = 0

    /// Adds a file, whose reason is a clause.
    mutating func add(_ file: IgnoredFile) {
        guard files.count < Self.maximumCount else {
            more += 1
            return
        }
        var file = file
        (file.file, file.error) = (file.file.printable, file.error.printable + ".")
        files.append(file)
    }
}
