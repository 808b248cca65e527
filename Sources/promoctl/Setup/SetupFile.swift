import Glibc
import PromoSystem
import PromoWire

/// The file of a catalog in the person's configuration. It is replaced in one step, and the former one is kept beside it until it is known
/// which of them stays. So after a kill at any moment one of the two stands there, whole.
struct SetupFile {
    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless it leads to no file, as one to /dev/null.
    private let target: String
    /// Where the former file or link is kept. After a kill a person finds it here; nothing restores it by itself.
    private let former: String
    /// Whether anything stood there.
    private var hasFormer = false

    /// The file of a catalog in a directory of the person's configuration. Keeps other setups out until this process ends, because each
    /// may put back what it has found.
    init(of catalog: String, in configuration: String) throws(CommandFailure) {
        path = "\(configuration)/catalogs.d/\(catalog).toml"
        target = stat(of: path)?.kind == S_IFREG ? (try? String(resolving: path)).flatMap(\.self) ?? path : path
        former = "\(target.directory)/.\(catalog).toml.former"
        try Self.lock(path)
    }

    private static func lock(_ path: String) throws(CommandFailure) {
        guard FileSystem.makeDirectories(path.directory) == nil else { throw refusal(path, "written", errno) }
        let descriptor = FileSystem.open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(path, "written", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw CommandFailure(
                .tryLater, "Another promoctl setup is running in \(path.directory); try again when it has ended.")
        }
    }

    /// The device and the number of the file that stands there now.
    var id: String? { stat(of: path)?.fileID }

    /// Keeps the file, and replaces it.
    /// - Returns: whether it had another text.
    mutating func replace(with text: String) throws(CommandFailure) -> Bool {
        let bytes = Array(text.utf8)
        let old = try keepFormer()
        do { try write(bytes, to: target) } catch {
            _ = putBack()
            throw error
        }
        return old != bytes
    }

    /// Gives the file a second name, or makes a copy where links are not possible.
    /// - Returns: its text; nil if there is none.
    private mutating func keepFormer() throws(CommandFailure) -> [UInt8]? {
        FileSystem.unlink(former)
        let text = stat(ofLink: target)?.kind == S_IFREG ? read(target) : nil
        hasFormer = FileSystem.link(target, to: former) == 0
        let reason = errno
        if !hasFormer, reason != ENOENT {
            guard let text else { throw Self.refusal(path, "replaced", reason) }
            try write(text, to: former)
            hasFormer = true
        }
        return text
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do { try OutputFile(path, replacingAnythingWith: 0o600).replace(with: bytes) } catch {
            throw CommandFailure(.outputError, "\(error).")
        }
    }

    private func read(_ path: String) -> [UInt8]? {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Descriptor.readToEnd(of: descriptor, keeping: .max)
    }

    /// Puts back what stood in the file's place.
    /// - Returns: what the file is now, as the end of a sentence.
    func putBack() -> String {
        guard hasFormer else {
            FileSystem.unlink(path)
            return "is not written"
        }
        guard FileSystem.rename(former, to: target) == 0 else {
            return "has the new text, because \(former) cannot be put back: \(String(systemError: errno).lowercased())"
        }
        // A rename to another name of the same file has left both.
        FileSystem.unlink(former)
        return "is as it was"
    }

    /// Forgets what stood in the file's place, and keeps what stands there now.
    func keep() { FileSystem.unlink(former) }

    /// Removes the file, or the symbolic link in its place, and what a killed setup has left beside it.
    /// - Returns: whether there was one.
    func remove() throws(CommandFailure) -> Bool {
        keep()
        if FileSystem.unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw Self.refusal(path, "removed", errno) }
        return false
    }

    private static func refusal(_ path: String, _ verb: String, _ number: Int32) -> CommandFailure {
        CommandFailure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
