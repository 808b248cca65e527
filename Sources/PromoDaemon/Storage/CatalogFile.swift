package import PromoCore
import PromoWire

/// The file of the cached catalog: a header of one line of JSON, then the catalog's bytes as the origin sent them.
package struct CatalogFile: Sendable {
    /// The result of reading a file.
    package enum Reading: Equatable, Sendable {
        case missing
        case contents(CatalogContents)
        /// The file does not match its header; it was moved to `setAside`, or could not be moved.
        case damaged(reason: String, setAside: String?)
        case unreadable(SystemError)
    }

    private static let format = 1
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
    package func read() -> Reading {
        let file: [UInt8]?
        do {
            file = try FileReader.read(path, maximumBytes: Self.maximumBytes)
        } catch {
            return .unreadable(error)
        }
        guard let file else { return .missing }
        do {
            return .contents(try Self.contents(of: file))
        } catch {
            let isAside = try? directory.move(name, to: damagedName)
            return .damaged(
                reason: error.reason, setAside: isAside.map { _ in directory.path(of: damagedName) })
        }
    }

    /// Replaces the file with a catalog.
    @discardableResult
    package func replace(with contents: CatalogContents) throws(SystemError) -> PrivateDirectory.Durability {
        try directory.replace(
            name, with: [Self.line(contents.header, count: contents.bytes.count), contents.bytes])
    }

    /// Removes the file.
    @discardableResult
    package func remove() throws(SystemError) -> PrivateDirectory.Durability {
        try directory.remove(name)
    }

    // MARK: Form

    private struct Damage: Error {
        let reason: String
    }

    private static func line(_ header: CatalogContents.Header, count: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", format)
            writer.member("url", header.url)
            writer.member("etag", header.validators.etag)
            writer.member("lastModified", header.validators.lastModified)
            writer.member("fetchedAt", header.fetchedAt)
            writer.member("sha256", header.sha256)
            writer.member("bytes", count)
        }
        writer.append("\n")
        return writer.bytes
    }

    private static func contents(of file: [UInt8]) throws(Damage) -> CatalogContents {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let root = try? JSONDocument(Array(file[..<end]), maximumDepth: 2).root
        else { throw Damage(reason: "its first line is not a JSON header") }
        guard root["format"]?.integer == format else { throw Damage(reason: "its format is not \(format)") }
        guard let url = root["url"]?.string, let sha256 = root["sha256"]?.string, let count = root["bytes"]?.integer,
            let fetchedAt = root["fetchedAt"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { throw Damage(reason: "its header lacks a member") }
        let bytes = Array(file[(end + 1)...])
        guard bytes.count == count else {
            throw Damage(reason: "it has \(bytes.count) bytes of a catalog, but its header says \(count)")
        }
        guard CatalogDigest(of: bytes).hexadecimal == sha256 else {
            throw Damage(reason: "its bytes do not match their SHA-256")
        }
        let validators = Validators(etag: root["etag"]?.string, lastModified: root["lastModified"]?.string)
        return CatalogContents(
            header: CatalogContents.Header(url: url, validators: validators, fetchedAt: fetchedAt, sha256: sha256),
            bytes: bytes)
    }
}
