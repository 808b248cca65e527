package import PromoCore
import PromoWire

/// The file of the cached catalog.
package struct CatalogFile: Sendable {
    /// The result of reading a file.
    package enum Reading: Equatable, Sendable {
        case missing
        case contents(CatalogContents)
        /// The file does not match its header. It was moved to `setAside`; nil if it was not moved.
        case damaged(reason: String, setAside: String?)
        case unreadable(SystemError)
    }

    /// The largest catalog with its header.
    private static let maximumBytes = AppCatalog.maximumBytes + CatalogContents.maximumHeader

    private static let name = "catalog"
    private static let damagedName = "catalog.damaged"

    private let directory: PrivateDirectory

    /// The catalog's file in a directory.
    package init(directory: PrivateDirectory) {
        self.directory = directory
    }

    /// The file's path.
    package var path: String { directory.path(of: Self.name) }

    /// Reads the file, and checks it against its header.
    package func read() -> Reading {
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
            let isAside = try? directory.move(Self.name, to: Self.damagedName)
            return .damaged(
                reason: error.reason, setAside: isAside.map { _ in directory.path(of: Self.damagedName) })
        }
    }

    /// Replaces the file with a catalog.
    @discardableResult
    package func replace(with contents: CatalogContents) throws(SystemError) -> PrivateDirectory.Durability {
        try directory.replace(Self.name, with: contents.fileParts)
    }

    /// Removes the file.
    @discardableResult
    package func remove() throws(SystemError) -> PrivateDirectory.Durability {
        try directory.remove(Self.name)
    }
}
