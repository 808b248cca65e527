import Glibc
import PromoProcess

/// A file of the user's configuration, locked for a change. Beside it, under its name with ``suffix``, is what it was before the
/// last change, which promod does not read.
package final class UserConfigurationFile: Sendable {
    /// The end of the name of the file as it was before.
    static let suffix = ".previous"
    /// Where that file is a link to, if there was no file before: nothing can ever be there.
    private static let nowhere = "/dev/null/no-file"

    /// The file's path, after following symbolic links, because users may keep the file elsewhere.
    package let path: String
    /// The path before following symbolic links.
    private let written: String
    /// The locked directory. Of two processes that change the file, one waits and then reads what the other wrote.
    private let lock: Int32

    /// Locks the file at an absolute path; makes its directory if it is missing.
    package init(path written: String) throws(SystemError) {
        self.written = written
        let directory = Place(written).directory
        try directory.create()
        lock = FileSystem.open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw SystemError("open", directory.path) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError("lock", directory.path) }
        }
        do {
            path = try String(resolving: written) ?? written
        } catch {
            throw SystemError("follow", written, number: EILSEQ)
        }
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// The file's text; nil if there is no file.
    /// - Throws: ``SystemError``, or ``ConfigurationProblem`` if the file is not text.
    package func text() throws -> String? {
        try FileReader.read(path, maximumBytes: ConfigurationFile.maximumBytes).map {
            try ConfigurationFile.text($0, path)
        }
    }

    /// Replaces the text atomically, and keeps the file's mode and what it was before.
    /// - Parameter isSecret: whether only the owner may read the text.
    package func replace(with text: String, isSecret: Bool) throws(SystemError) {
        let (place, status) = (Place(path), stat(of: path))
        if let status, let bytes = try FileReader.read(path, maximumBytes: ConfigurationFile.maximumBytes) {
            try place.directory.replace(place.previous, with: [bytes])
            FileSystem.changeMode(place.directory.path(of: place.previous), to: status.st_mode & 0o777)
        } else {
            try place.directory.link(place.previous, to: Self.nowhere)
        }
        try place.directory.replace(place.name, with: [Array(text.utf8)])
        if let status { FileSystem.changeMode(path, to: status.st_mode & (isSecret ? 0o700 : 0o777)) }
    }

    /// Takes the file away, or the symbolic link in its place, and keeps it as what was before.
    package func remove() throws(SystemError) {
        let place = Place(written)
        try place.directory.move(place.name, to: place.previous)
    }

    /// Exchanges the file and what it was before; a second call exchanges them back. Either of them may be missing.
    /// - Returns: whether it is known what the file was before.
    package func undo() throws(SystemError) -> Bool {
        let place = Place(path)
        let previous = place.directory.path(of: place.previous)
        guard let entry = stat(ofLink: previous) else { return false }
        let (exists, existed) = (stat(ofLink: path) != nil, stat(of: previous) != nil)
        // A pipe, a directory or a link to something, which this program does not leave there, is not a configuration.
        guard !existed || entry.kind == S_IFREG else { throw SystemError("exchange", previous, number: EINVAL) }
        switch (exists, existed) {
        case (false, false): return false
        case (true, true): try place.directory.exchange(place.name, with: place.previous)
        case (true, false): try place.directory.move(place.name, to: place.previous)
        case (false, true):
            try place.directory.move(place.previous, to: place.name)
            try place.directory.link(place.previous, to: Self.nowhere)
        }
        return true
    }

    private struct Place {
        let directory: PrivateDirectory
        let name: String

        init(_ path: String) {
            let parts = path.split(separator: "/")
            directory = PrivateDirectory(path: "/" + parts.dropLast().joined(separator: "/"))
            name = parts.last.map(String.init) ?? path
        }

        var previous: String { name + UserConfigurationFile.suffix }
    }
}
