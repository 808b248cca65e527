import Glibc
import PromoWire
import Synchronization

/// The listening socket of this process: the one that systemd handed over, else one that it binds and removes itself.
final class ServedSocket: Sendable {
    /// Where clients connect.
    let path: String
    private let inherited: Int32?
    private let bound = Mutex<ListeningSocket?>(nil)

    /// The socket that the environment asks for; nothing is bound yet.
    init(_ environment: [String: String]) throws(StartFailure) {
        do {
            inherited = try InheritedSocket.take()
        } catch {
            throw StartFailure(.configuration, error.description)
        }
        do {
            path = try SocketPath.resolve(environment: environment, userID: getuid())
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    /// Whether the process was started by socket activation.
    var isInherited: Bool { inherited != nil }

    /// The descriptor to listen on, bound if none was inherited.
    func open() throws(StartFailure) -> Int32 {
        if let inherited { return inherited }
        do {
            let socket = try ListeningSocket.bind(path)
            bound.withLock { $0 = socket }
            return socket.descriptor
        } catch {
            switch error {
            case .taken(let pid):
                let who = pid.map { "another promod (pid \($0))" } ?? "another promod"
                throw StartFailure(
                    .temporaryFailure, "\(who) serves \(path) already; set PROMOD_SOCKET to run a second one elsewhere")
            case .system(let error):
                throw StartFailure(.osError, error.description)
            }
        }
    }

    /// Removes what ``open()`` bound.
    func remove() {
        bound.withLock { $0 }?.remove()
    }
}
