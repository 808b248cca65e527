import Glibc
import PromoCore
import PromoProcess
import PromoWire

/// The files of a catalog's pictures, and the book of them, in a directory of their own.
struct IconStore {
    private static let bookName = "book.json"
    /// More than what is noted about the pictures.
    private static let maximumBook = 16 * 1024 * 1024
    private static let maximumFiles = 1 << 20

    private let directory: PrivateDirectory

    /// The store in a catalog's cache.
    init(cache: PrivateDirectory) {
        directory = PrivateDirectory(path: cache.path(of: "icons"))
    }

    /// The book's file; nil if there is none.
    var identity: FileIdentity? { FileIdentity(of: directory.path(of: Self.bookName)) }

    /// Why the book cannot be used.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The path of a picture.
    func path(of icon: StoredIcon) -> String { directory.path(of: icon.fileName) }

    /// The book on disk, without pictures whose files are gone; nil if there is none.
    /// - Throws: why it cannot be used, as a clause.
    func read() throws(Unreadable) -> IconBook? {
        let path = directory.path(of: Self.bookName)
        let bytes: [UInt8]?
        do {
            bytes = try FileReader.read(path, maximumBytes: Self.maximumBook)
        } catch {
            throw Unreadable(description: "\(error)")
        }
        guard let bytes else { return nil }
        guard var book = IconBook(fileBytes: bytes) else { throw Unreadable(description: "\(path) is not valid") }
        book.keep(where: isThere)
        return book
    }

    /// Whether the file of a picture is there.
    func isThere(_ icon: StoredIcon) -> Bool {
        let file = stat(ofLink: path(of: icon))
        return file?.kind == S_IFREG && file?.st_size == icon.size
    }

    /// Writes the book, and removes the files of pictures that are not in it.
    func write(_ book: IconBook) throws(SystemError) {
        var bytes = book.fileBytes
        // A book that is too long to be read would be forgotten as a whole.
        if bytes.count > Self.maximumBook { bytes = book.withoutFailures.fileBytes }
        try directory.replace(Self.bookName, with: [bytes])
        let kept = book.fileNames
        removeFiles { !kept.contains($0) }
    }

    /// Writes a picture.
    func write(_ bytes: [UInt8], of icon: StoredIcon) throws(SystemError) {
        try directory.replace(icon.fileName, with: [bytes])
    }

    /// The bytes of a picture; nil if its file is gone or damaged.
    func bytes(of icon: StoredIcon) -> [UInt8]? {
        guard let bytes = try? FileReader.read(path(of: icon), maximumBytes: IconBook.maximumSize) else { return nil }
        return icon.matches(bytes) ? bytes : nil
    }

    /// Removes everything that is promod's, and the directory unless there is something else in it.
    /// - Throws: ``SystemError`` if the book cannot be removed.
    func clear() throws(SystemError) {
        guard isOwn else { return }
        try directory.remove(Self.bookName)
        removeFiles { _ in true }
        FileSystem.removeDirectory(directory.path)
    }

    /// Whether the directory is not a link. What a link leads to belongs to somebody else.
    private var isOwn: Bool { stat(ofLink: directory.path)?.kind == S_IFDIR }

    /// Removes the files of pictures whose name passes a check, and files that were not written to the end.
    private func removeFiles(_ isRemoved: (String) -> Bool) {
        guard isOwn else { return }
        let names = (try? DirectoryReader.names(in: directory.path, maximum: Self.maximumFiles)) ?? []
        for name in names {
            let isPicture = StoredIcon.isFileName(name) && isRemoved(name)
            if isPicture || isUnfinished(name) { FileSystem.unlink(directory.path(of: name)) }
        }
    }

    private func isUnfinished(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(".new") else { return false }
        let target = String(name.dropFirst().dropLast(4))
        return target == Self.bookName || StoredIcon.isFileName(target)
    }
}
