import Dispatch
import Glibc
import PromoSystem
import Synchronization

/// Handles SIGTERM, SIGINT and SIGHUP on a queue of its own, so that the daemon can be stopped even if its start hangs.
final class Signals {
    /// The handlers of SIGTERM and SIGINT, and of SIGHUP.
    struct Handlers: Sendable {
        var stop: @Sendable () -> Void
        var hangUp: @Sendable () -> Void
    }

    private final class Current: Sendable {
        let handlers: Mutex<Handlers>

        init(_ handlers: Handlers) {
            self.handlers = Mutex(handlers)
        }
    }

    private let queue = DispatchQueue(label: "promod.signals")
    private let current: Current
    private var sources: [any DispatchSourceSignal] = []

    /// Handles the signals from now on; they must be blocked until this returns.
    init(_ handlers: Handlers) {
        current = Current(handlers)
        sources = [
            watch(SIGTERM) { $0.stop() }, watch(SIGINT) { $0.stop() }, watch(SIGHUP) { $0.hangUp() },
        ]
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Replaces the handlers.
    func change(to handlers: Handlers) {
        current.handlers.withLock { $0 = handlers }
    }

    private func watch(
        _ number: Int32, _ handler: @escaping @Sendable (Handlers) -> Void
    ) -> any DispatchSourceSignal {
        DispatchSource.signalSource(of: number, queue: queue) { [current] in
            handler(current.handlers.withLock { $0 })
        }
    }
}
