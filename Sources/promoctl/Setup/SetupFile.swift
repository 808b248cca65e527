import Glibc
import PromoSystem
import PromoWire

/// The file of a catalog in the person's configuration, which is replaced as a whole and may be put back as it was.
struct SetupFile {
    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless the link hides the catalog.
    private let target: String
    /// The former file while the new one is tried.
    private var former: String { "\(target.directory)/.\(target.dropFirst(target.directory.utf8.count + 1)).former" }

    /// The file of a catalog in a directory of the person's configuration.
    init(of catalog: String, in configuration: String) {
        path = "\(configuration)/catalogs.d/\(catalog).toml"
        let resolved = (try? String(resolving: path)).flatMap(\.self) ?? path
        target = resolved == "/dev/null" ? path : resolved
    }

    /// Replaces the file, and keeps the former one for ``restore()`` or ``commit()``.
    func replace(with text: String) throws(Failure) {
        var directory = ""
        for part in target.directory.split(separator: "/") {
            directory += "/" + part
            _ = FileSystem.makeDirectory(directory, mode: 0o700)
        }
        FileSystem.unlink(former)
        guard FileSystem.link(target, to: former) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw refusal("kept", errno)
        }
        do {
            try OutputFile(target, replacesAnything: true).replace(with: Array(text.utf8), mode: 0o600)
        } catch {
            FileSystem.unlink(former)
            throw Failure(.outputError, "\(error).")
        }
    }

    /// Puts the former file back, or removes the new one if there was none.
    func restore() {
        if FileSystem.rename(former, to: target) != 0 { FileSystem.unlink(target) }
    }

    /// Forgets the former file.
    func commit() {
        FileSystem.unlink(former)
    }

    /// Removes the file, or the symbolic link in its place.
    /// - Returns: whether there was one.
    func remove() throws(Failure) -> Bool {
        if FileSystem.unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw refusal("removed", errno) }
        return false
    }

    private func refusal(_ verb: String, _ number: Int32) -> Failure {
        Failure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
