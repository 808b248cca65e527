import CSystemd
import Glibc
import NIOCore

/// Who is at the other end of a Unix-domain socket, by the kernel's word.
enum PeerCredentials {
    /// The uid of a channel's peer at the time when it connected.
    static func userID(of channel: any Channel) -> EventLoopFuture<uid_t> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<promod_credentials> = provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map(\.uid)
    }

    /// The pid of whoever listens at the other end; nil where the kernel does not tell.
    static func pid(of descriptor: Int32) -> Int? {
        var credentials = promod_credentials()
        var length = socklen_t(MemoryLayout<promod_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.pid > 0 ? Int(credentials.pid) : nil
    }
}
