package import PromoCore

/// The file of the cached catalog.
package struct CatalogFile: Sendable {
    /// The result of reading a file.
    package enum Reading: Equatable, Sendable {
        case missing
        case contents(CatalogContents)
        /// The file does not match its header; it was moved to `setAside`, or was not moved.
        case damaged(reason: String, setAside: String?)
        case unreadable(SystemError)
    }

    /// Larger than any catalog that a configuration allows, with its header.
    private static let maximumBytes = 65 * 1024 * 1024

    private let directory: PrivateDirectory
    private let name: String

    /// The catalog's file in a directory.
    package init(directory: PrivateDirectory) {
        self.init(directory: directory, name: "catalog")
    }

    private init(directory: PrivateDirectory, name: String) {
        self.directory = directory
        self.name = name
    }

    /// The file beside it in which `promod configure` leaves a catalog that it has fetched and checked, so that the daemon does
    /// not fetch it again.
    package static func offer(in directory: PrivateDirectory) -> CatalogFile {
        CatalogFile(directory: directory, name: "catalog.offered")
    }

    /// The file's path.
    package var path: String { directory.path(of: name) }

    private var damagedName: String { name + ".damaged" }

    /// Reads the file, and checks it against its header.
    /// - Parameter setsAside: whether a damaged file is moved.
    package func read(setsAside: Bool = true) -> Reading {
        let file: [UInt8]?
        do {
            file = try FileReader.read(path, maximumBytes: Self.maximumBytes)
        } catch {
            return .unreadable(error)
        }
        guard let file else { return .missing }
        do {
            return .contents(try CatalogContents(fileBytes: consume file))
        } catch {
            let isAside = setsAside ? try? directory.move(name, to: damagedName) : nil
            return .damaged(
                reason: error.reason, setAside: isAside.map { _ in directory.path(of: damagedName) })
        }
    }

    /// Replaces the file with a catalog.
    @discardableResult
    package func replace(with contents: CatalogContents) throws(SystemError) -> PrivateDirectory.Durability {
        try directory.replace(name, with: contents.fileParts)
    }

    /// Removes the file.
    @discardableResult
    package func remove() throws(SystemError) -> PrivateDirectory.Durability {
        try directory.remove(name)
    }
}
