import PromoCore

/// A file of promod's own in a private directory.
struct StoredFile<Contents: FileContents>: Sendable {
    /// Why the file cannot be used, as a clause.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let directory: PrivateDirectory
    let name: String
    /// More than the longest contents take.
    let maximumBytes: Int

    var path: String { directory.path(of: name) }

    func read() throws(Problem) -> Contents? {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try FileReader.read(path, maximumBytes: maximumBytes) } catch {
            throw Problem(description: error.description)
        }
        guard let bytes else { return nil }
        guard let contents = Contents(fileBytes: bytes) else {
            throw Problem(description: "\(path) is not a valid \(Contents.noun)")
        }
        return contents
    }

    @discardableResult
    func replace(with contents: Contents) throws(SystemError) -> PrivateDirectory.Durability {
        try directory.replace(name, with: [contents.fileBytes])
    }
}
