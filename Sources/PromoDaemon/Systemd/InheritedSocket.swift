import CSystemd

/// The listening socket that systemd hands over under socket activation.
package enum InheritedSocket {
    /// What was inherited is not what promod serves.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The first descriptor that systemd passes, by sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// The descriptor; nil where nothing was inherited. It may be asked for once: the variables are unset.
    package static func take() throws(Unusable) -> Int32? {
        let count = promod_listen_fds()
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw Unusable(description: "\(count) sockets were inherited, and promod serves one; look at promod.socket")
        }
        guard promod_is_listening_unix_socket(firstDescriptor) > 0 else {
            throw Unusable(
                description: "the inherited descriptor is no listening Unix-domain stream socket; look at promod.socket"
            )
        }
        return firstDescriptor
    }
}
