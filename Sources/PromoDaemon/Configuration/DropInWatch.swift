import Dispatch
import Glibc
import PromoSystem
import Synchronization

/// Watches the directories of drop-ins through inotify(7), and the links that lead to them and to the files in them. All happens on one queue.
///
/// While a directory does not exist, the nearest one above it is watched. For a path of a file, its directory is watched.
final class DropInWatch: Sendable {
    /// The names that matter in a watched directory.
    private struct Subject {
        /// The names that lead to drop-ins.
        var names: Set<[UInt8]> = []
        var hasDropIns = false

        func includes(_ name: [UInt8]) -> Bool {
            name.isEmpty || names.contains(name) || hasDropIns && Self.isDropIn(name)
        }

        /// Whether a file of this name configures a catalog, or is one that a package brings.
        static func isDropIn(_ name: [UInt8]) -> Bool {
            [DropInCatalogs.suffix, DropInCatalogs.bundledSuffix].contains { suffix in
                name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            }
        }
    }

    /// The most bytes of events that are read at once. If there are more, the descriptor stays readable.
    private static let maximumEvents = 16_384

    /// The kernel's side.
    private final class Watches: Sendable {
        let descriptor: Int32
        /// The watched directories and files, by the kernel's numbers.
        let subjects = Mutex<[Int32: Subject]>([:])

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// Takes events from the kernel.
        /// - Returns: whether drop-ins may have changed. Most events in a directory above theirs are about other files.
        func takeEvents() -> Bool {
            var buffer = [UInt8](repeating: 0, count: DropInWatch.maximumEvents)
            let count = Descriptor.read(from: descriptor, into: &buffer)
            let events = DirectoryEvent.events(in: buffer.prefix(max(0, count)))
            return subjects.withLock { subjects in
                // An event of a removed watch may come later.
                events.contains { $0.watch == -1 || subjects[$0.watch]?.includes($0.name) == true }
            }
        }
    }

    /// The most links on the way to a file, as in the kernel.
    private static let maximumLinks = 40
    private static let changes = [
        IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_ADD,
    ].reduce(0, |)

    private let directories: [String]
    private let watches: Watches
    private let source: Mutex<DescriptorWatch>

    /// Watches nothing before ``renew()``.
    /// - Parameter changed: called on the queue when drop-ins may have changed.
    /// - Throws: ``SystemError``, for example if the user has too many of these watches.
    init(_ directories: [String], queue: DispatchQueue, changed: @escaping @Sendable () -> Void) throws(SystemError) {
        let watches = Watches(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
        (self.directories, self.watches) = (directories, watches)
        source = Mutex(
            try DescriptorWatch(watches.descriptor, of: "the directories of drop-ins", queue: queue) { _ in
                if watches.takeEvents() { changed() }
            })
    }

    /// Watches the directories that exist now.
    /// - Throws: ``SystemError`` if the kernel refuses one, for example because the user watches too many.
    func renew() throws(SystemError) {
        let before = watches.subjects.withLock { subjects in
            defer { subjects = [:] }
            return subjects.keys
        }
        for directory in directories { try add(directory) }
        // A refused link leaves the others watched.
        var refusal: SystemError?
        for directory in directories {
            let names = (try? DirectoryReader.names(in: directory, maximum: DropInCatalogs.maximumEntries)) ?? []
            let files = names.filter { Subject.isDropIn(Array($0.utf8)) }.map { "\(directory)/\($0)" }
            for path in [directory] + files {
                do throws(SystemError) { try addLinks(of: path) } catch { refusal = error }
            }
        }
        let now = watches.subjects.withLock { Set($0.keys) }
        for number in before where !now.contains(number) { inotify_rm_watch(watches.descriptor, number) }
        if let refusal { throw refusal }
    }

    private func add(_ directory: String) throws(SystemError) {
        let names = directory.split(separator: "/")
        var level = names.count
        while try !add(names, level), level > 0 { level -= 1 }
        // A directory that was made before its parent was watched causes no event.
        while level < names.count, try add(names, level + 1) { level += 1 }
        // The parent may be renamed, or the directory may be a link that is replaced.
        if level == names.count { _ = try add(names, level - 1) }
    }

    /// Watches the places of the links that lead to a path, and each directory behind the first link: all may be replaced.
    private func addLinks(of path: String) throws(SystemError) {
        var (directory, rest, count) = ("", path.split(separator: "/")[...], 0)
        while let name = rest.popFirst() {
            if name == "." { continue }
            if name == ".." {
                directory = String(directory.prefix(upTo: directory.lastIndex(of: "/") ?? directory.startIndex))
                continue
            }
            let place = "\(directory)/\(name)"
            let target = try? String(targetOf: place)
            if target != nil || count > 0 { try watch(name, in: directory, writes: rest.isEmpty) }
            guard let target, count < Self.maximumLinks else {
                directory = place
                continue
            }
            count += 1
            rest = (target.split(separator: "/") + rest)[...]
            if target.hasPrefix("/") { directory = "" }
        }
    }

    /// Watches a name in a directory, but none of a device, such as /dev/null, to which many programs write.
    private func watch(_ name: Substring, in directory: String, writes: Bool) throws(SystemError) {
        guard !directory.hasPrefix("/dev"), !directory.hasPrefix("/proc") else { return }
        if let number = try watch(directory + "/", Self.changes | (writes ? IN_CLOSE_WRITE : 0)) {
            note(number) { $0.names.insert(Array(name.utf8)) }
        }
    }

    /// Watches the directory of the first `level` names; false if there is none, or it may not be read.
    private func add(_ names: [Substring], _ level: Int) throws(SystemError) -> Bool {
        let path = "/" + names.prefix(level).joined(separator: "/")
        let isLast = level == names.count
        // Flatpak reports a change by setting the times of a file; and a file's mode may be repaired.
        let more = isLast ? IN_CLOSE_WRITE | IN_ATTRIB : level == names.count - 1 ? IN_ATTRIB : 0
        let mask = Self.changes | more
        guard let number = try watch(path, mask) else { return false }
        note(number) { if isLast { $0.hasDropIns = true } else { $0.names.insert(Array(names[level].utf8)) } }
        return true
    }

    private func note(_ number: Int32, _ change: (inout Subject) -> Void) {
        watches.subjects.withLock { change(&$0[number, default: Subject()]) }
    }

    /// Watches a path.
    /// - Returns: the kernel's number of the watch; nil if there is nothing at the path, or it may not be read.
    private func watch(_ path: String, _ mask: Int32) throws(SystemError) -> Int32? {
        // The path ends with a NUL, and stays until the call returns.
        let number = unsafe inotify_add_watch(watches.descriptor, path, UInt32(mask))
        guard number < 0 else { return number }
        guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) else { throw SystemError("watch", path) }
        return nil
    }
}

/// An event of inotify(7).
struct DirectoryEvent: Equatable {
    /// The number of the watch; -1 if the kernel has dropped events.
    let watch: Int32
    /// The name of the file; empty for the directory itself.
    let name: [UInt8]

    /// The events in bytes that were read from the kernel.
    static func events(in bytes: ArraySlice<UInt8>) -> [DirectoryEvent] {
        var events: [DirectoryEvent] = []
        var rest = bytes
        while rest.count >= headLength {
            let name = rest.dropFirst(headLength).prefix(Int(number(rest.dropFirst(12))))
            events.append(
                DirectoryEvent(watch: Int32(bitPattern: number(rest)), name: Array(name.prefix { $0 != 0 })))
            rest = rest[name.endIndex...]
        }
        return events
    }

    /// Watch, mask, cookie and the length of the name that follows, which ends with at least one NUL; each has 32 bits.
    private static let headLength = 16

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
