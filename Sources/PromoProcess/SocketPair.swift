import Glibc

/// Two connected sockets, both closed on exec, which a pipe that Swift can open is not; -1 if none could be opened.
package enum SocketPair {
    /// Opens the two.
    package static func open() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }
}
