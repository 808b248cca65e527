import Dispatch
import Glibc
import PromoProcess

/// Is notified by the kernel when a drop-in comes, changes or goes. Of a directory that does not exist, the nearest one above it is
/// watched until it comes. Of a path that is a file's, its directory is watched for it.
final class DropInWatch {
    /// What is watched in a directory.
    private struct Subject {
        /// Names that lead to drop-ins.
        var names: Set<[UInt8]> = []
        var hasDropIns = false

        func includes(_ name: [UInt8]) -> Bool {
            name.isEmpty || names.contains(name)
                || hasDropIns && name.suffix(DropInCatalogs.suffix.utf8.count).elementsEqual(DropInCatalogs.suffix.utf8)
        }
    }

    /// The most bytes of events that are read at once; the rest makes the descriptor readable again.
    private static let maximumEvents = 16_384

    private let directories: [String]
    private let descriptor: Int32
    private let watch: DescriptorWatch
    /// By the kernel's numbers.
    private var subjects: [Int32: Subject] = [:]

    /// Watches nothing before ``renew()``.
    /// - Parameter ready: called on the queue when the kernel has events, and has to take them with ``takeEvents()``.
    /// - Throws: ``SystemError``, for example if the user has too many of these watches.
    init(_ directories: [String], queue: DispatchQueue, ready: @escaping @Sendable () -> Void) throws(SystemError) {
        self.directories = directories
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        watch = try DescriptorWatch(descriptor, of: "the directories of drop-ins", queue: queue) { _ in ready() }
    }

    /// Takes events from the kernel.
    /// - Returns: whether drop-ins may have changed. What other programs do in a directory above theirs is not about them.
    func takeEvents() -> Bool {
        var buffer = [UInt8](repeating: 0, count: Self.maximumEvents)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        return DirectoryEvent.events(in: buffer.prefix(max(0, count))).contains { event in
            // The last event of a watch that was removed may come later.
            event.watch == -1 || subjects[event.watch]?.includes(event.name) == true
        }
    }

    /// Watches the directories that are at their paths now.
    /// - Throws: ``SystemError`` if the kernel refuses one, for example because the user watches too many.
    func renew() throws(SystemError) {
        let before = subjects
        subjects = [:]
        for directory in directories { try add(directory) }
        for number in before.keys where subjects[number] == nil { inotify_rm_watch(descriptor, number) }
    }

    private func add(_ directory: String) throws(SystemError) {
        let names = directory.split(separator: "/")
        var level = names.count
        while try !add(names, level), level > 0 { level -= 1 }
        // One that came before its parent was watched is reported by nobody.
        while level < names.count, try add(names, level + 1) { level += 1 }
        // The parent may be renamed, or the directory be a link that is replaced.
        if level == names.count { _ = try add(names, level - 1) }
    }

    /// Watches the directory of the first `level` names; false if there is none, or it may not be read.
    private func add(_ names: [Substring], _ level: Int) throws(SystemError) -> Bool {
        let path = "/" + names.prefix(level).joined(separator: "/")
        let isLast = level == names.count
        let events = [
            IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_ADD,
        ]
        // Flatpak sets the times of the file that tells of a change.
        let more = isLast ? IN_CLOSE_WRITE : level == names.count - 1 ? IN_ATTRIB : 0
        let mask = events.reduce(more, |)
        // The path ends with a NUL, and stays until the call returns.
        let number = unsafe inotify_add_watch(descriptor, path, UInt32(mask))
        guard number >= 0 else {
            if [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) { return false }
            throw SystemError("watch", path)
        }
        if isLast {
            subjects[number, default: Subject()].hasDropIns = true
        } else {
            subjects[number, default: Subject()].names.insert(Array(names[level].utf8))
        }
        return true
    }
}
