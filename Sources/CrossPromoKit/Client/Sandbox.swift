import Glibc
import PromoSystem
import PromoWire

/// A sandbox around this process. promod cannot be started inside, and its socket may exist without being visible.
package enum Sandbox: Equatable, Sendable {
    /// That of a Flatpak app, with the app's id.
    case flatpak(String)
    /// That of a Snap.
    case snap

    private static let start = "Start promod on the host, with \"systemctl --user restart promod.socket\" there"

    /// The sandbox by the environment and Flatpak's file that describes an app; nil if there is none.
    init?(environment: [String: String], hasFlatpakInfo: Bool) {
        if hasFlatpakInfo {
            self = .flatpak(environment["FLATPAK_ID"]?.printable ?? "APPID")
        } else if environment["SNAP"]?.isEmpty == false {
            self = .snap
        } else {
            return nil
        }
    }

    /// The sandbox of this process; nil if there is none.
    package static var current: Sandbox? {
        Sandbox(
            environment: ProcessEnvironment().variables, hasFlatpakInfo: stat(ofLink: "/.flatpak-info") != nil)
    }

    /// What to do about a socket that cannot be reached.
    /// - Parameters:
    ///   - directory: the socket's directory.
    ///   - isVisible: whether the directory is visible here.
    ///   - isOwn: whether it is promod's own in the runtime directory, for which Flatpak has another name.
    func advice(directory: String, isVisible: Bool, isOwn: Bool) -> String {
        switch self {
        case _ where isVisible:
            "\(Self.start). If it runs already, start this app again."
        case .flatpak(let app):
            "This app's sandbox does not show \(directory). \(Self.start), run "
                + "\"flatpak override --user --filesystem=\(isOwn ? "xdg-run/promod" : directory):ro \(app)\" there, "
                + "and then start this app again."
        case .snap:
            "\(Self.start). But a Snap with strict confinement cannot reach it, because no interface of snapd allows that; "
                + "one with classic confinement can."
        }
    }

    /// What to do about a socket that cannot be reached.
    func advice(socketPath: String) -> String {
        let directory = socketPath.directory
        let own = SocketPath.ownDirectory(environment: ProcessEnvironment().variables, userID: getuid())
        return advice(directory: directory, isVisible: stat(of: directory) != nil, isOwn: directory == own)
    }
}
