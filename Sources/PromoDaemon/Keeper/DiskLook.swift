import Glibc
import PromoSystem
import PromoWire

/// Looks whether this process can use promod's directories and files, with its own eyes: a sandbox may hide or deny what a shell sees.
struct DiskLook: Sendable {
    /// The room that anything but a catalog needs, in bytes.
    static let room = 65_536

    private let directories: Directories
    /// The files of the configuration, whether or not they exist.
    private let files: [String]

    /// - Parameter files: the files of the configuration, whether or not they exist.
    init(_ directories: Directories, files: [String]) {
        (self.directories, self.files) = (directories, files)
    }

    /// The files of the configuration as they are now; nil for each that does not exist.
    var versions: [[UInt64]?] { files.map { stat(of: $0)?.version } }

    /// promod's own directories, or those in which they would be made, with the device and the number of each.
    var places: [String: [UInt64]] {
        let paths = [directories.configuration, directories.cache, directories.state].map(Self.nearest)
        return Dictionary(paths.map { ($0, Self.place(of: $0)) }) { first, _ in first }
    }

    /// Whether others are in their places: something was mounted.
    static func isMounted(over places: [String: [UInt64]]) -> Bool { places.contains { place(of: $0) != $1 } }

    private static func place(of path: String) -> [UInt64] {
        stat(of: path).map { [UInt64($0.st_dev), UInt64($0.st_ino)] } ?? []
    }

    /// What a look has found.
    struct Findings: Sendable {
        var problems: [Problem] = []
        /// A directory that is gone, and that this process cannot make again: a sandbox has the home directory read-only.
        var lost: String?
    }

    /// Looks.
    /// - Parameters:
    ///   - versions: the files as they were when they were read; nil if they were not.
    ///   - bytes: the room that the next write needs.
    func findings(since versions: [[UInt64]?]?, room bytes: Int) -> Findings {
        var found = Findings()
        check(directories.cache, bytes, &found)
        check(directories.state, Self.room, &found)
        if let versions {
            for (file, (old, new)) in zip(files, zip(versions, self.versions)) where old != new {
                let what = new == nil ? "was removed" : old == nil ? "appeared" : "was changed"
                found.problems.append(
                    Problem(.changedFiles, file, "The file \(file) \(what) after promod read its configuration"))
            }
        }
        return found
    }

    /// Checks a directory in which promod writes.
    private func check(_ directory: String, _ bytes: Int, _ found: inout Findings) {
        let existing = Self.nearest(to: directory)
        if let number = Self.obstacle(to: W_OK | X_OK, in: existing) {
            let place = existing == directory ? directory : "\(directory) is missing, and \(existing)"
            if existing != directory, number == EROFS { found.lost = directory }
            found.problems.append(
                Problem(.directory, directory, "\(place) cannot be written: \(String(systemError: number))"))
            return
        }
        var status = statvfs()
        // The kernel fills the status before it returns.
        guard unsafe statvfs(existing, &status) == 0 else { return }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free < UInt64(bytes) else { return }
        found.problems.append(
            Problem(
                .diskFull, directory, "The disk of \(directory) has \(free) bytes left; the next write needs \(bytes)"))
    }

    /// A directory, or the nearest one above it that exists.
    private static func nearest(to directory: String) -> String {
        var existing = directory
        while stat(ofLink: existing) == nil, existing.count > 1 { existing = existing.directory }
        return existing
    }

    /// Why this process has no such access to a directory, as an `errno`; nil if it has.
    private static func obstacle(to access: Int32, in directory: String) -> Int32? {
        if let status = stat(of: directory), status.kind != S_IFDIR { return ENOTDIR }
        return FileSystem.access(directory, access) == 0 ? nil : errno
    }
}
