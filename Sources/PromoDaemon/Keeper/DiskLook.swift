import Glibc
import PromoSystem
import PromoWire

/// Looks whether this process can use promod's directories and files, with its own eyes: a sandbox may hide or deny what a shell sees.
struct DiskLook: Sendable {
    /// The room that anything but a catalog needs, in bytes.
    static let room = 65_536

    /// The directories in which promod writes: its cache, and its state.
    private let written: [String]
    /// Those, and the one with the socket.
    private let own: [String]
    /// The files of the configuration, whether or not they exist.
    private let files: [String]
    private let isSocketReplaced: @Sendable () -> Bool

    /// - Parameters:
    ///   - runtime: promod's own runtime directory; nil if it has none.
    ///   - files: the files of the configuration, whether or not they exist.
    ///   - isSocketReplaced: whether the file of the socket that this process has bound is another one, or gone.
    init(
        _ directories: Directories, runtime: String? = nil, files: [String],
        isSocketReplaced: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isSocketReplaced = isSocketReplaced
        written = [directories.cache, directories.state]
        own = written + [runtime].compactMap(\.self)
        self.files = files
    }

    /// The files of the configuration as they are now; nil for each that does not exist.
    var versions: [[UInt64]?] { files.map { stat(of: $0)?.version } }

    /// What a look has found.
    struct Findings: Sendable {
        var problems: [Problem] = []
        /// promod's own directories, or those in which they would be made, with the device and the number of each.
        var places: [String: [UInt64]]
        /// The path of one whose place another one has, or that is gone and cannot be made again, because a sandbox has the home directory
        /// read-only; nil if there is none.
        var replaced: String?
        var isSocketReplaced: Bool
    }

    /// Looks.
    /// - Parameters:
    ///   - versions: the files as they were when they were read; nil if they were not.
    ///   - places: the places as they were.
    ///   - bytes: the room that the next write needs.
    func findings(
        since versions: [[UInt64]?]?, _ places: [String: [UInt64]] = [:], room bytes: Int
    ) -> Findings {
        var found = Findings(
            places: Dictionary(own.map(Self.nearest).map { ($0, Self.place(of: $0)) }) { first, _ in first },
            replaced: places.keys.sorted().first { Self.isReplaced($0, places[$0]) },
            isSocketReplaced: isSocketReplaced())
        for (directory, bytes) in zip(written, [bytes, Self.room]) { check(directory, bytes, &found) }
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
            var text = "\(place) cannot be written: \(String(systemError: number))"
            if number == ENOENT, let target = try? String(targetOf: existing) {
                text =
                    "\(existing) leads to \(target), which does not exist for promod: its service has a /tmp of its own"
            }
            found.problems.append(Problem(.directory, directory, text))
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

    private static func place(of path: String) -> [UInt64] {
        stat(of: path).map { [UInt64($0.st_dev), UInt64($0.st_ino)] } ?? []
    }

    private static func isReplaced(_ path: String, _ place: [UInt64]?) -> Bool {
        let now = Self.place(of: path)
        // One that was removed is made again by the next write.
        return now.isEmpty ? obstacle(to: W_OK | X_OK, in: nearest(to: path)) == EROFS : now != place
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
