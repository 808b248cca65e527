import CLinux
import Dispatch
import Glibc

/// Is notified by the kernel when the wall clock is set; it costs nothing while nobody sets it.
final class ClockWatch {
    private let source: any DispatchSourceRead

    /// Calls the handler on the queue each time the wall clock has been set, also when the machine resumes.
    /// - Throws: ``SystemError``, for example if no descriptor is left; the daemon works without a watch.
    init(queue: DispatchQueue, onSet: @escaping @Sendable () -> Void) throws(SystemError) {
        let descriptor = promod_open_clock_watch()
        guard descriptor >= 0 else { throw SystemError("watch", "the wall clock") }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            promod_rearm_clock_watch(descriptor)
            onSet()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
    }
}
