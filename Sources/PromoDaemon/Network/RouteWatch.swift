import CLinux
import Dispatch
import Glibc

/// Is notified by the kernel when a default route appears; it costs nothing while nothing changes.
final class RouteWatch {
    private let source: any DispatchSourceRead

    /// Calls the handler on the queue each time a default route is added.
    /// - Throws: ``SystemError``, for example if a sandbox forbids netlink; the daemon works without a watch.
    init(queue: DispatchQueue, onDefaultRoute: @escaping @Sendable () -> Void) throws(SystemError) {
        let descriptor = promod_open_route_socket()
        guard descriptor >= 0 else { throw SystemError("watch", "the kernel's routes") }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            if promod_read_default_route_added(descriptor) != 0 { onDefaultRoute() }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
    }
}
