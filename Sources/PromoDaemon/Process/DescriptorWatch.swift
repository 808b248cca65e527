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
