import CSystemd

/// The listening socket that systemd passes under socket activation.
package enum InheritedSocket {
    /// The inherited descriptors are not one socket that promod can serve.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The first descriptor that systemd passes, by sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// The descriptor; nil if none was inherited. This can be called only once, because it unsets the variables.
    package static func take() throws(Unusable) -> Int32? {
        let count = promod_listen_fds()
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw Unusable(description: "\(count) sockets were inherited, but promod serves one; check promod.socket")
        }
        guard promod_is_listening_unix_socket(firstDescriptor) > 0 else {
            throw Unusable(
                description:
                    "the inherited descriptor is not a listening Unix-domain stream socket; check promod.socket"
            )
        }
        return firstDescriptor
    }
}
