import CLinux
import Dispatch

/// Is notified by the kernel when a default route appears.
final class RouteWatch {
    private let watch: DescriptorWatch

    /// Calls the handler on the queue each time a default route is added.
    /// - Throws: ``SystemError``, for example if a sandbox forbids netlink; the daemon works without a watch.
    init(queue: DispatchQueue, onDefaultRoute: @escaping @Sendable () -> Void) throws(SystemError) {
        watch = try DescriptorWatch(promod_open_route_socket(), of: "the kernel's routes", queue: queue) { descriptor in
            if promod_read_default_route_added(descriptor) != 0 { onDefaultRoute() }
        }
    }
}
