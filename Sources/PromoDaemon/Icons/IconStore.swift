import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// The files of a catalog's pictures, and their book, in a directory of their own.
struct IconStore {
    private static let maximumFiles = 1 << 20

    private let directory: PrivateDirectory
    let book: StoredFile<IconBook>

    init(cache: PrivateDirectory) {
        directory = PrivateDirectory(path: cache.path(of: "icons"))
        book = StoredFile(directory: directory, name: "book.json", maximumBytes: 32 << 20)
    }

    func path(of icon: StoredIcon) -> String { directory.path(of: icon.fileName) }

    /// Writes the book, and removes the files of pictures that are not in it.
    /// - Returns: the names of those that are in it, but whose files are gone.
    func write(_ next: IconBook) throws(SystemError) -> Set<String> {
        // A newer promod with this home keeps its pictures.
        guard !book.isNewer else { return [] }
        try book.replace(with: next)
        guard let names else { return [] }
        let kept = next.fileNames
        for name in names where StoredIcon.isFileName(name) && !kept.contains(name) { remove(name) }
        return kept.subtracting(names)
    }

    /// Stores the picture in a reply, unless it is the kept one.
    /// - Returns: the picture; nil if the origin has confirmed the kept one.
    func store(_ reply: OriginReply, of request: OriginRequest, besides kept: StoredIcon?) throws(Failure)
        -> StoredIcon?
    {
        switch reply {
        case .notModified: return nil
        case .failed(let failure, _, _):
            throw failure.code == .tooLarge ? IconBook.tooLarge(request.url, than: request.maximumBytes) : failure
        case .body(let bytes, let validators, _, _):
            let icon = try StoredIcon(bytes, of: request.url, validators: validators)
            guard kept?.fileName != icon.fileName else { return icon }
            do throws(SystemError) { try directory.replace(icon.fileName, with: [bytes]) } catch {
                throw Failure(.storage, "The icon \(request.url.brief) cannot be stored: \(error).")
            }
            return icon
        }
    }

    /// A picture in base64; nil if its file is gone or damaged.
    func base64(of icon: StoredIcon) -> SharedBytes? {
        guard let bytes = try? FileReader.read(path(of: icon), maximumBytes: IconBook.maximumSize),
            icon.matches(bytes)
        else { return nil }
        return SharedBytes(Base64.encode(bytes))
    }

    /// The picture for the address of an icon of a catalog that is tested, as if an origin had sent it: the file beside the catalog that has
    /// the longest end of the address's path.
    static func picture(at url: HTTPSURL, beside catalog: String) -> OriginReply {
        let names = url.target.prefix { $0 != "?" }.split(separator: "/").map {
            String(decoding: $0.utf8.unescaped, as: UTF8.self)
        }
        let isInside = names.allSatisfy { $0 != ".." && !$0.contains("/") && !$0.contains("\0") }
        for first in names.indices where isInside {
            let path = catalog.directory + "/" + names[first...].joined(separator: "/")
            // What cannot be read may be a directory.
            if let bytes = try? FileReader.read(path, maximumBytes: IconBook.maximumSize) {
                return .body(bytes, Validators())
            }
        }
        let failure = Failure(.notFound, "No file beside \(catalog) is named like the icon \(url.brief).")
        return .failed(failure, httpStatus: 404, retryAfter: nil)
    }

    /// Removes promod's files, and the directory if nothing else is in it.
    /// - Throws: ``SystemError`` if the book cannot be removed.
    func clear() throws(SystemError) {
        guard let names else { return }
        try directory.remove(book.name)
        for name in names where StoredIcon.isFileName(name) || name.hasPrefix(".") && name.hasSuffix(".new") {
            remove(name)
        }
        FileSystem.removeDirectory(directory.path)
    }

    /// The names of all files; nil if the directory is a link, whose target is not promod's, or cannot be read.
    private var names: [String]? {
        guard stat(ofLink: directory.path)?.kind == S_IFDIR else { return nil }
        return try? DirectoryReader.names(in: directory.path, maximum: Self.maximumFiles)
    }

    private func remove(_ name: String) { FileSystem.unlink(directory.path(of: name)) }
}
