import Glibc
import PromoSystem
import PromoWire

/// The file of a catalog in the person's configuration, which is replaced as a whole, and can be put back.
struct SetupFile {
    /// What stood in its place.
    private enum Former {
        case nothing
        /// A symbolic link to anything but a file, such as /dev/null.
        case link(to: String)
        case file([UInt8], mode: mode_t)
    }

    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless it leads to no file.
    private let target: String
    private let former: Former

    /// The file of a catalog in a directory of the person's configuration. Keeps other setups out until this process ends, because each
    /// may put back what it has found.
    init(of catalog: String, in configuration: String) throws(Failure) {
        path = "\(configuration)/catalogs.d/\(catalog).toml"
        try Self.lock(path)
        guard let status = stat(of: path), status.kind == S_IFREG else {
            target = path
            former = Self.destination(of: path).map(Former.link) ?? .nothing
            return
        }
        target = (try? String(resolving: path)).flatMap(\.self) ?? path
        let descriptor = FileSystem.open(target, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.refusal(path, "read", errno) }
        former = .file(Descriptor.readToEnd(of: descriptor, keeping: 1 << 20), mode: status.st_mode & 0o7777)
        close(descriptor)
    }

    private static func lock(_ path: String) throws(Failure) {
        var directory = ""
        for part in path.directory.split(separator: "/") {
            directory += "/" + part
            guard FileSystem.makeDirectory(directory, mode: 0o700) == 0 || errno == EEXIST || errno == EROFS else {
                throw refusal(path, "written", errno)
            }
        }
        let descriptor = FileSystem.open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(path, "written", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw Failure(
                .tryLater, "Another promoctl setup is at work in \(path.directory); try again when it has ended.")
        }
    }

    /// Where a symbolic link leads; nil if the path is none.
    private static func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // The kernel writes at most as much as there is room for.
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Replaces the file.
    func replace(with text: String) throws(Failure) { try write(Array(text.utf8), mode: 0o600) }

    /// Puts back what stood in the file's place.
    func putBack() throws(Failure) {
        switch former {
        case .nothing: FileSystem.unlink(path)
        case .link(let destination):
            FileSystem.unlink(path)
            // The kernel is done with the paths when it returns.
            guard unsafe symlink(destination, path) == 0 else { throw Self.refusal(path, "put back", errno) }
        case .file(let bytes, let mode): try write(bytes, mode: mode)
        }
    }

    /// Removes the file, or the symbolic link in its place.
    /// - Returns: whether there was one.
    func remove() throws(Failure) -> Bool {
        if FileSystem.unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw Self.refusal(path, "removed", errno) }
        return false
    }

    private func write(_ bytes: [UInt8], mode: mode_t) throws(Failure) {
        do {
            try OutputFile(target, replacesAnything: true).replace(with: bytes, mode: mode)
        } catch {
            throw Failure(.outputError, "\(error).")
        }
    }

    private static func refusal(_ path: String, _ verb: String, _ number: Int32) -> Failure {
        Failure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
