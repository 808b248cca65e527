import Glibc
import PromoSystem
import PromoWire
import Synchronization

/// The file of a catalog in the person's configuration, which is replaced as a whole and may be put back as it was.
///
/// The former file stays beside the new one while that is tried, so that it is not lost if this process is killed.
final class SetupFile: Sendable {
    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless the link hides the catalog.
    private let target: String
    /// The lock of the directory while a new file is tried; nil before and afterwards.
    private let trial = Mutex<Int32?>(nil)

    /// The file of a catalog in a directory of the person's configuration.
    init(of catalog: String, in configuration: String) {
        path = "\(configuration)/catalogs.d/\(catalog).toml"
        let resolved = (try? String(resolving: path)).flatMap(\.self) ?? path
        target = resolved == "/dev/null" ? path : resolved
    }

    /// The former file while the new one is tried.
    private var former: String { "\(target.directory)/.\(target.dropFirst(target.directory.utf8.count + 1)).former" }

    /// Replaces the file, and keeps the former one for ``restore()``, until ``commit()``.
    /// - Returns: whether a killed process has left a former file, which is kept in place of the one that is replaced.
    func replace(with text: String) throws(Failure) -> Bool {
        for directory in [path.directory, target.directory] { Self.make(directory) }
        let lock = try lock()
        var wasInterrupted = false
        if FileSystem.link(target, to: former) != 0 {
            wasInterrupted = errno == EEXIST
            guard wasInterrupted || errno == ENOENT else {
                let refusal = refusal("kept", errno)
                close(lock)
                throw refusal
            }
        }
        do {
            try OutputFile(target, replacesAnything: true).replace(with: Array(text.utf8), mode: 0o600)
        } catch {
            if !wasInterrupted { FileSystem.unlink(former) }
            close(lock)
            throw Failure(.outputError, "\(error).")
        }
        trial.withLock { $0 = lock }
        return wasInterrupted
    }

    private static func make(_ directory: String) {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            _ = FileSystem.makeDirectory(path, mode: 0o700)
        }
    }

    /// Keeps other setups out while this one tries a file, which they would put back to the wrong one.
    private func lock() throws(Failure) -> Int32 {
        let descriptor = FileSystem.open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal("written", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw Failure(
                .tryLater, "Another promoctl setup is at work in \(path.directory); try again when it has ended.")
        }
        return descriptor
    }

    /// Puts the former file back, or removes the new one if there was none.
    /// - Returns: false if no new file is tried any more.
    @discardableResult
    func restore() -> Bool {
        end { if FileSystem.rename(former, to: target) != 0 { FileSystem.unlink(target) } }
    }

    /// Forgets the former file.
    func commit() {
        _ = end { FileSystem.unlink(former) }
    }

    /// Ends the trial, on the first call.
    private func end(_ change: () -> Void) -> Bool {
        trial.withLock { lock in
            guard let descriptor = lock else { return false }
            change()
            close(descriptor)
            lock = nil
            return true
        }
    }

    /// Removes the file, or the symbolic link in its place.
    /// - Returns: whether there was one.
    func remove() throws(Failure) -> Bool {
        guard stat(ofLink: path) != nil else { return false }
        let lock = try lock()
        defer { close(lock) }
        FileSystem.unlink(former)
        guard FileSystem.unlink(path) == 0 else { throw refusal("removed", errno) }
        return true
    }

    private func refusal(_ verb: String, _ number: Int32) -> Failure {
        Failure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
