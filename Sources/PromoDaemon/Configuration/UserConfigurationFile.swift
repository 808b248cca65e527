import Glibc
import PromoProcess

/// A file of the user's configuration, locked for a change. Beside it, under its name with ``suffix``, is the previous version, which
/// promod does not read.
package final class UserConfigurationFile: Sendable {
    /// The suffix of the previous version's name.
    static let suffix = ".previous"
    /// The target of the link that stands for no previous version, a path that cannot exist.
    private static let nowhere = "/dev/null/no-file"

    /// The file's path, after following symbolic links, because users may keep the file elsewhere.
    package let path: String
    /// The path before following symbolic links.
    private let written: String
    /// The locked directory. Of two processes that change the file, one waits, and then reads what the other wrote.
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

    /// Replaces the text atomically, and keeps the file's mode and its previous version.
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

    /// Moves the file, or the symbolic link in its place, to the previous version.
    package func remove() throws(SystemError) {
        let place = Place(written)
        try place.directory.move(place.name, to: place.previous)
    }

    /// Exchanges the file and its previous version, of which either may be missing. A second call exchanges them back.
    /// - Returns: false if no previous version is known.
    package func undo() throws(SystemError) -> Bool {
        let place = Place(path)
        let previous = place.directory.path(of: place.previous)
        guard let entry = stat(ofLink: previous) else { return false }
        let (exists, existed) = (stat(ofLink: path) != nil, stat(of: previous) != nil)
        // promod leaves no pipe, directory or link to an existing file there, so such a one is not a configuration.
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
