import CLinux
import Dispatch
import Glibc

/// A descriptor through which the kernel reports events. An idle one costs nothing.
final class DescriptorWatch {
    private let source: any DispatchSourceRead

    /// Calls the handler on the queue each time the descriptor is readable, and closes the descriptor at the end.
    /// - Parameters:
    ///   - descriptor: the descriptor that was just opened; a negative number, with the reason in `errno`, if that failed.
    ///   - subject: the noun for the error message.
    ///   - ready: reads from the descriptor, or it is called again at once.
    /// - Throws: ``SystemError`` if the descriptor could not be opened.
    init(
        _ descriptor: Int32, of subject: String, queue: DispatchQueue, ready: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        guard descriptor >= 0 else { throw SystemError("watch", subject) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { ready(descriptor) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
    }
}

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
