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

    /// Larger than any catalog that a configuration allows, with its header.
    private static let maximumBytes = 65 * 1024 * 1024

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
            let isAside = setsAside ? try? directory.move(Self.name, to: Self.damagedName) : nil
            return .damaged(
                reason: error.reason, setAside: isAside.map { _ in directory.path(of: Self.damagedName) })
        }
    }

    /// The catalog's address in the header; nil if there is no such file, or if it is not well-formed.
    var address: HTTPSURL? {
        let line = (try? FileReader.readLine(path, maximumBytes: CatalogContents.maximumHeader)) ?? nil
        return line.flatMap(CatalogContents.address(inHeader:)).flatMap(HTTPSURL.init)
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
