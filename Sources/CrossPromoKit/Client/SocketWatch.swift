import Glibc
import PromoSystem

/// Waits until a socket or a directory of its path is made or replaced, so that a program without a daemon need not poll.
struct SocketWatch: ~Copyable {
    /// The part of a path that exists.
    private struct Existing: Equatable {
        /// The number of directories that exist.
        var depth: Int
        /// The file's number and the time of its last change, in seconds and nanoseconds; nil if there is none.
        var file: [Int]?
    }

    private static let mask = [IN_CREATE, IN_MOVED_TO, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR].reduce(0, |)

    private let path: String
    /// The directories of the path, from the root on.
    private let directories: [String]
    /// The inotify(7) descriptor; -1, which `poll` ignores, if none could be opened.
    private let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    private var existing = Existing(depth: 0)

    /// Watches a path.
    init(_ path: String) {
        self.path = path
        let names = path.split(separator: "/").dropLast()
        directories = (0...names.count).map { "/" + names.prefix($0).joined(separator: "/") }
        existing = watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sleeps until a deadline, until the interruption is fired, or until the file or a directory of its path is made or replaced.
    /// - Returns: whether the interruption was fired, and whether something has changed.
    mutating func wait(until deadline: Deadline, _ interruption: Interruption) -> (isFired: Bool, hasChanged: Bool) {
        var events = [UInt8](repeating: 0, count: 4096)
        while !deadline.hasPassed {
            let poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard let ready = interruption.wait(for: [poller], until: deadline) else { return (true, false) }
            guard ready[0] else { continue }
            while Descriptor.read(from: descriptor, into: &events) > 0 {}
            let before = existing
            existing = watch()
            // Other programs make files in the same directories.
            if existing != before { return (false, true) }
        }
        return (false, false)
    }

    /// Watches the deepest directory that exists.
    private borrowing func watch() -> Existing {
        while true {
            let depth = depth
            if depth > 0, descriptor >= 0 {
                // The path ends with a NUL, and stays until the call returns.
                _ = unsafe inotify_add_watch(descriptor, directories[depth - 1], UInt32(Self.mask))
            }
            // A directory that was made before the watch began is not reported.
            guard self.depth == depth else { continue }
            let file = stat(of: path).map { [Int($0.st_ino), $0.st_ctim.tv_sec, $0.st_ctim.tv_nsec] }
            return Existing(depth: depth, file: file)
        }
    }

    private var depth: Int {
        directories.lastIndex { stat(of: $0)?.kind == S_IFDIR }.map { $0 + 1 } ?? 0
    }
}
