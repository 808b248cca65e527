import CLinux
import Dispatch

extension DescriptorWatch {
    /// Calls the handler on the queue each time a default route may have come or gone.
    /// - Throws: ``SystemError``, for example if a sandbox forbids netlink; the daemon works without a watch.
    static func ofRoutes(
        queue: DispatchQueue, changed: @escaping @Sendable () -> Void
    ) throws(SystemError) -> DescriptorWatch {
        try DescriptorWatch(promod_open_route_socket(), of: "the kernel's routes", queue: queue) { descriptor in
            if promod_read_route_changes(descriptor) != 0 { changed() }
        }
    }

    /// Calls the handler on the queue each time the wall clock has been set, and when the machine resumes.
    /// - Throws: ``SystemError``, for example if no descriptor is left; the daemon works without a watch.
    static func ofClock(
        queue: DispatchQueue, set: @escaping @Sendable () -> Void
    ) throws(SystemError) -> DescriptorWatch {
        try DescriptorWatch(promod_open_clock_watch(), of: "the wall clock", queue: queue) { descriptor in
            promod_rearm_clock_watch(descriptor)
            set()
        }
    }
}
