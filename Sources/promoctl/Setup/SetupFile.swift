import Glibc
import PromoSystem
import PromoWire
import Synchronization

/// The file of a catalog in the person's configuration, which is replaced as a whole.
///
/// A new one is tried in a file beside it, under a name of its own, so the person's file is touched only when the new one works.
struct SetupFile {
    /// The path, as messages name it.
    let path: String
    /// The file that is replaced: that to which a symbolic link leads, unless it leads to something else, such as /dev/null.
    private let target: String
    private let trial: String

    /// The file of a catalog in a directory of the person's configuration.
    init(of catalog: String, in configuration: String) {
        let directory = "\(configuration)/catalogs.d"
        path = "\(directory)/\(catalog).toml"
        trial = "\(directory)/\(CatalogReference.trialName).toml"
        target = stat(of: path)?.kind == S_IFREG ? (try? String(resolving: path)).flatMap(\.self) ?? path : path
    }

    /// Keeps other setups out until this process ends, because the trial has one name.
    func lock() throws(Failure) {
        var directory = ""
        for part in path.directory.split(separator: "/") {
            directory += "/" + part
            guard FileSystem.makeDirectory(directory, mode: 0o700) == 0 || errno == EEXIST || errno == EROFS else {
                throw refusal("written", errno)
            }
        }
        let descriptor = FileSystem.open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal("written", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw Failure(
                .tryLater, "Another promoctl setup is at work in \(path.directory); try again when it has ended.")
        }
    }

    /// Writes the file to try.
    func `try`(_ text: String) throws(Failure) { try Self.write(text, to: trial) }

    /// Replaces the file, and ends the trial.
    func replace(with text: String) throws(Failure) {
        try Self.write(text, to: target)
        endTrial()
    }

    /// Removes the file that was tried.
    func endTrial() { FileSystem.unlink(trial) }

    /// Removes the file that was tried, when it is written, and ends the process.
    func abandon(exitCode: Int32) {
        Self.writing.withLock { _ in
            endTrial()
            exit(exitCode)
        }
    }

    /// Held while a file is written, so that no signal leaves a part of one.
    private static let writing = Mutex(())

    private static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try writing.withLock { _ throws(OutputFile.Refusal) in
                try OutputFile(path, replacesAnything: true).replace(
                    with: Array(text.utf8), mode: 0o600)
            }
        } catch {
            throw Failure(.outputError, "\(error).")
        }
    }

    /// Removes the file, or the symbolic link in its place.
    /// - Returns: whether there was one.
    func remove() throws(Failure) -> Bool {
        if stat(of: path.directory) != nil { try lock() }
        endTrial()
        if FileSystem.unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw refusal("removed", errno) }
        return false
    }

    private func refusal(_ verb: String, _ number: Int32) -> Failure {
        Failure(.outputError, "\(path) cannot be \(verb): \(String(systemError: number).lowercased()).")
    }
}
