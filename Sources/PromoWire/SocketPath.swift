/// The path of the socket on which the daemon listens; the daemon and its clients derive it only here.
package enum SocketPath {
    /// The maximum length of the path in bytes. The kernel takes 107 and a final NUL; SwiftNIO, which clients may use, takes 103.
    package static let maximumBytes = 103

    /// The path: `$PROMOD_SOCKET`, else `$XDG_RUNTIME_DIR/promod/promod.sock`, else `/run/user/UID/promod/promod.sock`.
    ///
    /// In a Flatpak without the host's, which has a runtime directory for each instance, it is in the one directory of the app.
    /// An empty variable counts as unset, and so does an `XDG_RUNTIME_DIR` that is relative, as the XDG Base Directory Specification
    /// requires, or no directory, as a snap sets it.
    /// - Parameter isDirectory: whether there is a directory at a path.
    /// - Throws: ``SocketPathTooLong``.
    package static func resolve(
        environment: [String: String], userID: UInt32, isDirectory: (String) -> Bool
    ) throws(SocketPathTooLong) -> String {
        let path: String
        if let explicit = environment["PROMOD_SOCKET"], !explicit.isEmpty {
            path = explicit
        } else {
            path = ownDirectory(environment: environment, userID: userID, isDirectory: isDirectory) + "/promod.sock"
        }
        guard path.utf8.count <= maximumBytes else { throw SocketPathTooLong(path: path) }
        return path
    }

    /// promod's own directory in the user's runtime directory; the socket is in it unless `PROMOD_SOCKET` names another path.
    package static func ownDirectory(
        environment: [String: String], userID: UInt32, isDirectory: (String) -> Bool
    ) -> String {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), isDirectory(runtime) else {
            return "/run/user/\(userID)/promod"
        }
        if let app = environment["FLATPAK_ID"], !app.isEmpty, !isDirectory(runtime + "/promod"),
            isDirectory(runtime + "/app/" + app)
        {
            return runtime + "/app/" + app
        }
        return runtime + "/promod"
    }
}

/// The error for a socket path that is too long for a socket address.
package struct SocketPathTooLong: Error, Equatable, CustomStringConvertible {
    /// The path that is too long.
    package let path: String

    package var description: String {
        "The socket path \(path) is \(path.utf8.count) bytes long; the limit is \(SocketPath.maximumBytes). "
            + "Set PROMOD_SOCKET to a shorter path."
    }
}
