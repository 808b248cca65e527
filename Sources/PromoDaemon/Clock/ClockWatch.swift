import CLinux
import Dispatch

/// Is notified by the kernel when the wall clock is set.
final class ClockWatch {
    private let watch: DescriptorWatch

    /// Calls the handler on the queue each time the wall clock has been set, also when the machine resumes.
    /// - Throws: ``SystemError``, for example if no descriptor is left; the daemon works without a watch.
    init(queue: DispatchQueue, onSet: @escaping @Sendable () -> Void) throws(SystemError) {
        watch = try DescriptorWatch(promod_open_clock_watch(), of: "the wall clock", queue: queue) { descriptor in
            promod_rearm_clock_watch(descriptor)
            onSet()
        }
    }
}
