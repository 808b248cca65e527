import Glibc
import PromoSystem
import PromoWire

/// The sandbox of a Flatpak app around this process. The host's promod cannot be started inside, and its socket
/// may exist without being visible.
package struct Sandbox: Equatable, Sendable {
    /// The app's id.
    let app: String

    private static let start = "Start promod on the host, with \"\(StartHint.service)\" there"

    /// The sandbox of this process; nil if there is none.
    package static var current: Sandbox? {
        guard stat(ofLink: "/.flatpak-info") != nil else { return nil }
        return Sandbox(app: ProcessEnvironment().variables["FLATPAK_ID"]?.printable ?? "APPID")
    }

    /// What to do about a socket that cannot be reached.
    /// - Parameters:
    ///   - directory: the socket's directory.
    ///   - isVisible: whether the directory is visible here.
    ///   - isOwn: whether it is promod's own in the runtime directory, for which Flatpak has another name.
    func advice(directory: String, isVisible: Bool, isOwn: Bool) -> String {
        if isVisible { return "\(Self.start). If it runs already, start this app again." }
        return "This app's sandbox does not show \(directory). \(Self.start), run "
            + "\"flatpak override --user --filesystem=\(isOwn ? "xdg-run/promod" : directory):ro \(app)\" there, "
            + "and then start this app again."
    }

    /// What to do about a socket that cannot be reached.
    func advice(socketPath: String) -> String {
        // The app's own socket is tried because the host's directory is not visible.
        let host = SocketPath.ownDirectory(
            environment: ProcessEnvironment().variables.filter { $0.key != "FLATPAK_ID" }, userID: getuid(),
            isDirectory: FileSystem.isDirectory)
        let directory = socketPath.directory.hasSuffix("/app/\(app)") ? host : socketPath.directory
        return advice(directory: directory, isVisible: stat(of: directory) != nil, isOwn: directory == host)
    }
}
