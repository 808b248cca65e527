import Glibc
import PromoSystem

/// Watches the directories of drop-ins through inotify(7), and all above them: each may be missing, renamed, replaced or unreadable for a
/// while. For a path of a file, its directory is watched.
///
/// A job of the disk makes and closes it, because a path is looked up on its disk, and closing waits for the kernel. The loop takes the
/// events, which waits for nothing. At each reading another one takes its place, which finds the directories as they are then; what
/// changes in between is read. So nothing is shared between the two.
struct DropInWatch: Sendable {
    /// The names that matter in a watched directory.
    private struct Subject {
        /// The names that lead to drop-ins.
        var names: Set<[UInt8]> = []
        var hasDropIns = false

        /// Whether an event is about the directory itself, a name that leads to drop-ins, a drop-in, or the catalog beside one. Most
        /// events in a directory above are about other files.
        func includes(_ name: [UInt8]) -> Bool {
            let ends = [DropInCatalogs.suffix, DropInCatalogs.bundledSuffix]
            return name.isEmpty || names.contains(name)
                || hasDropIns && ends.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
        }
    }

    /// The events of a directory above, of one in which a name may come, go or lead elsewhere, and of one with drop-ins. Flatpak reports a
    /// change by setting the times of a file, and a mode may be repaired.
    private static let isReplaced = [IN_ATTRIB, IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_ADD].reduce(0, |)
    private static let namesChange = isReplaced | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    private static let filesChange = namesChange | IN_CLOSE_WRITE
    /// The most bytes of events that are read at once. If there are more, the descriptor stays readable.
    private static let maximumEvents = 16_384

    let descriptor: Int32
    /// The watched directories, by the kernel's numbers.
    private var subjects: [Int32: Subject] = [:]
    /// Why something is not watched, such as the user's limit on watches; nil if all is.
    private(set) var refusal: SystemError?

    /// Watches all paths from now on.
    /// - Throws: ``SystemError``, for example if the user has too many of these descriptors.
    init(_ paths: [String]) throws(SystemError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError("watch", "the directories of drop-ins") }
        for path in paths { add(path) }
    }

    /// Ends the watch. Call this when the loop uses the descriptor no more.
    func end() { close(descriptor) }

    private mutating func add(_ path: String) {
        let names = path.split(separator: "/")
        var parent = ""
        for (level, name) in names.enumerated() {
            let (place, isLast) = (parent + "/" + name, level == names.count - 1)
            let mask = isLast ? Self.filesChange : Self.isReplaced
            let mark: (inout Subject) -> Void = { if isLast { $0.hasDropIns = true } }
            let isWatched = watch(place, mask, mark)
            // It may come, become readable, or be a link that is replaced.
            if isLast || !isWatched || stat(ofLink: place)?.kind != S_IFDIR {
                watch(parent + "/", Self.namesChange) { $0.names.insert(Array(name.utf8)) }
                // It may have come before the directory above was watched.
                if !isWatched { watch(place, mask, mark) }
            }
            parent = place
        }
    }

    /// Watches a directory.
    /// - Returns: false if there is none, or it may not be read.
    @discardableResult
    private mutating func watch(_ path: String, _ mask: Int32, _ change: (inout Subject) -> Void) -> Bool {
        // The path ends with a NUL, and stays until the call returns.
        let number = unsafe inotify_add_watch(descriptor, path, UInt32(mask))
        if number >= 0 {
            change(&subjects[number, default: Subject()])
        } else if errno == ENOSPC || errno == ENOMEM {
            refusal = refusal ?? SystemError("watch", path)
        }
        return number >= 0
    }

    /// Takes events from the kernel.
    /// - Returns: whether drop-ins may have changed.
    func takeEvents() -> Bool {
        var buffer = [UInt8](repeating: 0, count: Self.maximumEvents)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        var rest = buffer.prefix(max(0, count))
        var isChange = false
        // The number of the watch, the mask, a cookie and the length of the name that follows, which ends with at least one NUL; each has 32 bits.
        while rest.count >= 16 {
            let watch = Int32(bitPattern: Self.number(rest))
            let name = rest.dropFirst(16).prefix(Int(Self.number(rest.dropFirst(12))))
            // The kernel has dropped events if it is -1.
            isChange = isChange || watch == -1 || subjects[watch]?.includes(Array(name.prefix { $0 != 0 })) == true
            rest = rest[name.endIndex...]
        }
        return isChange
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
