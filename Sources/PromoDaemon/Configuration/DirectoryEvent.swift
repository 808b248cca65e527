/// What inotify(7) reports of a directory.
struct DirectoryEvent: Equatable {
    /// The number of the watch; -1 if the kernel has dropped events.
    let watch: Int32
    /// The name of the file that came, changed or went; empty if it is about the directory itself.
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
