import Glibc
import PromoSystem
import PromoWire

/// The file of a catalog in the person's configuration, which is replaced as a whole, and can be put back.
struct SetupFile {
    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless it leads to no file, as one to /dev/null.
    private let target: String
    /// Where the former file or link is kept meanwhile.
    private let former: String
    /// Whether anything stood there.
    let hasFormer: Bool

    /// The file of a catalog in a directory of the person's configuration. Keeps other setups out until this process ends, because each
    /// may put back what it has found.
    init(of catalog: String, in configuration: String) throws(CommandFailure) {
        path = "\(configuration)/catalogs.d/\(catalog).toml"
        target = stat(of: path)?.kind == S_IFREG ? (try? String(resolving: path)).flatMap(\.self) ?? path : path
        former = "\(target.directory)/.promoctl-setup.former"
        try Self.lock(path)
        // An earlier setup may have been killed before it put it back.
        _ = FileSystem.rename(former, to: target)
        hasFormer = FileSystem.rename(target, to: former) == 0
        guard hasFormer || errno == ENOENT else { throw Self.refusal(path, "replaced", errno) }
    }

    /// The device and the number of the file that stands there now.
    var id: String? { stat(of: path)?.fileID }

    private static func lock(_ path: String) throws(CommandFailure) {
        guard FileSystem.makeDirectories(path.directory) == nil else { throw refusal(path, "written", errno) }
        let descriptor = FileSystem.open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(path, "written", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw CommandFailure(
                .tryLater, "Another promoctl setup is running in \(path.directory); try again when it has ended.")
        }
    }

    /// Replaces the file; on failure, what stood there is put back.
    /// - Returns: whether it had another text.
    func replace(with text: String) throws(CommandFailure) -> Bool {
        let bytes = Array(text.utf8)
        let descriptor = FileSystem.open(former, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        do {
            try OutputFile(target, replacesAnything: true).replace(with: bytes, mode: 0o600)
            return Descriptor.readToEnd(of: descriptor, keeping: bytes.count + 1) != bytes
        } catch {
            putBack()
            throw CommandFailure(.outputError, "\(error).")
        }
    }

    /// Puts back what stood in the file's place.
    func putBack() {
        if hasFormer { _ = FileSystem.rename(former, to: target) } else { FileSystem.unlink(path) }
    }

    /// Forgets what stood in the file's place, and keeps what stands there now.
    func keep() { FileSystem.unlink(former) }

    /// Removes the file, or the symbolic link in its place.
    /// - Returns: whether there was one.
    func remove() throws(CommandFailure) -> Bool {
        putBack()
        if FileSystem.unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw Self.refusal(path, "removed", errno) }
        return false
    }

    private static func refusal(_ path: String, _ verb: String, _ number: Int32) -> CommandFailure {
        CommandFailure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
