import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// The files of a catalog's pictures, and their book, in a directory of their own.
struct IconStore {
    private static let maximumFiles = 1 << 20

    private let directory: PrivateDirectory
    private let book: StoredFile<IconBook>

    init(cache: PrivateDirectory) {
        directory = PrivateDirectory(path: cache.path(of: "icons"))
        book = StoredFile(directory: directory, name: "book.json", maximumBytes: 32 << 20)
    }

    func path(of icon: StoredIcon) -> String { directory.path(of: icon.fileName) }

    /// The book on disk, without pictures whose files are gone; nil if there is none.
    func read() throws(StoredFile<IconBook>.Problem) -> IconBook? {
        guard var book = try book.read() else { return nil }
        book.forget(book.missing(isThere))
        return book
    }

    func isThere(_ icon: StoredIcon) -> Bool {
        let file = stat(ofLink: path(of: icon))
        return file?.kind == S_IFREG && file?.st_size == icon.size
    }

    /// Writes the book, and removes the files of pictures that are not in it.
    func write(_ next: IconBook) throws(SystemError) {
        try book.replace(with: next)
        let kept = next.fileNames
        removeFiles { StoredIcon.isFileName($0) && !kept.contains($0) }
    }

    func write(_ bytes: [UInt8], of icon: StoredIcon) throws(SystemError) {
        try directory.replace(icon.fileName, with: [bytes])
    }

    /// The bytes of a picture; nil if its file is gone or damaged.
    func bytes(of icon: StoredIcon) -> [UInt8]? {
        guard let bytes = try? FileReader.read(path(of: icon), maximumBytes: IconBook.maximumSize) else { return nil }
        return icon.matches(bytes) ? bytes : nil
    }

    /// Removes promod's files, and the directory if nothing else is in it.
    /// - Throws: ``SystemError`` if the book cannot be removed.
    func clear() throws(SystemError) {
        guard isOwn else { return }
        try directory.remove(book.name)
        removeFiles { StoredIcon.isFileName($0) || $0.hasPrefix(".") && $0.hasSuffix(".new") }
        FileSystem.removeDirectory(directory.path)
    }

    /// Whether the directory is not a link, whose target is not promod's.
    private var isOwn: Bool { stat(ofLink: directory.path)?.kind == S_IFDIR }

    /// Removes the files that the closure selects by name.
    private func removeFiles(_ isRemoved: (String) -> Bool) {
        guard isOwn else { return }
        let names = (try? DirectoryReader.names(in: directory.path, maximum: Self.maximumFiles)) ?? []
        for name in names where isRemoved(name) { FileSystem.unlink(directory.path(of: name)) }
    }
}
