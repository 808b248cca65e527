import Dispatch
import Glibc
import Synchronization

/// Handles SIGTERM, SIGINT and SIGHUP from the start of the daemon to its end, on a queue of its own, so that the daemon can be
/// stopped even if its start hangs.
final class Signals {
    /// What the signals do.
    struct Handlers: Sendable {
        var stop: @Sendable () -> Void
        var hangUp: @Sendable () -> Void
    }

    /// Keeps the closures out of the generic `Mutex`: each read from a generic container would wrap them in one more thunk.
    private final class Current: Sendable {
        let handlers: Handlers

        init(_ handlers: Handlers) {
            self.handlers = handlers
        }
    }

    private final class Box: Sendable {
        let current: Mutex<Current>

        init(_ handlers: Handlers) {
            current = Mutex(Current(handlers))
        }

        var handlers: Handlers { current.withLock { $0 }.handlers }
    }

    private let queue = DispatchQueue(label: "promod.signals")
    private let box: Box
    private var sources: [any DispatchSourceSignal] = []

    /// Handles the signals from now on; they must be blocked until this returns.
    init(_ handlers: Handlers) {
        box = Box(handlers)
        sources = [
            watch(SIGTERM) { $0.stop() }, watch(SIGINT) { $0.stop() }, watch(SIGHUP) { $0.hangUp() },
        ]
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Replaces the handlers.
    func change(to handlers: Handlers) {
        let next = Current(handlers)
        box.current.withLock { $0 = next }
    }

    private func watch(
        _ number: Int32, _ handler: @escaping @Sendable (Handlers) -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        let box = box
        source.setEventHandler { handler(box.handlers) }
        // Activation only requests the handler; until it is installed, the signal would still end the process.
        let installed = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { installed.signal() }
        source.activate()
        installed.wait()
        return source
    }
}
