import Dispatch
import Glibc
import Synchronization

/// Hears SIGTERM, SIGINT and SIGHUP from the start of the daemon to its end, on a thread that waits for nothing else: whatever the
/// start hangs on, it can be stopped.
final class Signals {
    /// What the signals do.
    struct Handlers: Sendable {
        var stop: @Sendable () -> Void
        var hangUp: @Sendable () -> Void
    }

    /// A closure that is read out of a generic container would be wrapped at each read, so the closures lie in a class.
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

    /// Hears the signals from now on; they have to be blocked until this returns.
    init(_ handlers: Handlers) {
        box = Box(handlers)
        sources = [
            watch(SIGTERM) { $0.stop() }, watch(SIGINT) { $0.stop() }, watch(SIGHUP) { $0.hangUp() },
        ]
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// From now on the signals do something else.
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
        // Activation only asks for the handler; until it is installed, the signal would still end the process.
        let installed = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { installed.signal() }
        source.activate()
        installed.wait()
        return source
    }
}
