/// Where the daemon listens and its clients connect: the one place that knows.
package enum SocketPath {
    /// The longest path that can be bound, in bytes: the kernel's 108 less a final NUL, less what SwiftNIO keeps back.
    package static let maximumBytes = 103

    /// The path: `$PROMOD_SOCKET`, else `$XDG_RUNTIME_DIR/promod/promod.sock`, else `/run/user/UID/promod/promod.sock`.
    ///
    /// An empty variable counts as unset, and so does a relative `XDG_RUNTIME_DIR`, as the XDG base directory specification asks.
    /// - Throws: ``SocketPathTooLong``.
    package static func resolve(environment: [String: String], userID: UInt32) throws(SocketPathTooLong) -> String {
        let path: String
        if let explicit = environment["PROMOD_SOCKET"], !explicit.isEmpty {
            path = explicit
        } else if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            path = runtime + "/promod/promod.sock"
        } else {
            path = "/run/user/\(userID)/promod/promod.sock"
        }
        guard path.utf8.count <= maximumBytes else { throw SocketPathTooLong(path: path) }
        return path
    }
}

/// A socket path that does not fit a socket address.
package struct SocketPathTooLong: Error, Equatable, CustomStringConvertible {
    /// The path that was asked for.
    package let path: String

    package var description: String {
        "The socket path \(path) has \(path.utf8.count) bytes, and a socket address takes at most "
            + "\(SocketPath.maximumBytes). Set PROMOD_SOCKET to a shorter path."
    }
}
