import CSystemd

/// The listening socket that systemd passes under socket activation.
enum InheritedSocket {
    /// The first descriptor that systemd passes, by sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// The descriptor; nil if none was inherited. Call this only once, because it unsets the variables.
    /// - Throws: ``StartFailure`` if the inherited descriptors are not one socket that promod can serve.
    static func take() throws(StartFailure) -> Int32? {
        let count = promod_listen_fds()
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw StartFailure(
                .configuration, "\(count) sockets were inherited, but promod serves one; check promod.socket")
        }
        guard promod_is_listening_unix_socket(firstDescriptor) > 0 else {
            throw StartFailure(
                .configuration,
                "the inherited descriptor is not a listening Unix-domain stream socket; check promod.socket")
        }
        return firstDescriptor
    }
}
