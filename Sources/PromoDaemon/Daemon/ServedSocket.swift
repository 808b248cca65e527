import Glibc
import PromoSystem
import PromoWire
import Synchronization

/// The listening socket of this process: inherited from systemd, else bound and removed by the process itself.
final class ServedSocket: Sendable {
    /// The address to which clients connect.
    let path: String
    /// promod's own directory if the socket is in it; nil if `PROMOD_SOCKET` names another one.
    let ownDirectory: String?
    private let inherited: Int32?
    private let bound = Mutex<ListeningSocket?>(nil)

    /// The socket that the environment specifies, not bound yet.
    init(_ environment: [String: String]) throws(StartFailure) {
        inherited = try InheritedSocket.take()
        do {
            path = try SocketPath.resolve(environment: environment, userID: getuid())
            let own = SocketPath.ownDirectory(environment: environment, userID: getuid())
            ownDirectory = path == own + "/promod.sock" ? own : nil
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    /// Whether the process was started by socket activation.
    var isInherited: Bool { inherited != nil }

    /// Returns the descriptor to listen on; binds it if none was inherited.
    func open() throws(StartFailure) -> Int32 {
        if let inherited { return inherited }
        do {
            // A stop meanwhile waits, and removes the socket.
            return try bound.withLock { bound throws(ListeningSocket.Failure) in
                let socket = try ListeningSocket.bind(path)
                bound = socket
                return socket.descriptor
            }
        } catch {
            switch error {
            case .taken(let pid):
                let who = pid.map { "another promod (pid \($0))" } ?? "another promod"
                let remedy =
                    stat(ofLink: path) == nil
                    ? "its socket was removed, so end it and start promod again"
                    : "set PROMOD_SOCKET to run a second one"
                throw StartFailure(.temporaryFailure, "\(who) already serves \(path); \(remedy)")
            case .system(let error):
                throw StartFailure(.osError, error.description)
            }
        }
    }

    /// Removes the socket that ``open()`` bound.
    func remove() {
        bound.withLock { $0?.remove() }
    }
}
