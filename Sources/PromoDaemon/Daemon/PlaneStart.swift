import Dispatch
import PromoCore
import PromoProcess
import PromoWire

/// Starts the control plane when this process may use the cache: at once, or as soon as another promod releases it.
struct PlaneStart: Sendable {
    let context: DaemonContext
    let plane: ControlPlane
    let publication: Publication
    let loadGuard: LoadGuard

    /// Starts the plane, or waits for the cache on a separate thread; returns as soon as requests can be answered.
    func begin(_ initial: ControlPlane.InitialConfiguration, _ lock: CacheLock) {
        switch lock {
        case .taken(let file): startNow(initial, file)
        case .unavailable: startNow(initial, nil)
        case .held(let held): startLater(held)
        }
    }

    private func startNow(_ initial: ControlPlane.InitialConfiguration, _ lock: LockFile?) {
        let started = DispatchSemaphore(value: 0)
        plane.perform { [loadGuard] plane in
            loadGuard.load { plane.start(initial, lock: lock, loadsCache: $0) }
            started.signal()
        }
        started.wait()
    }

    private func startLater(_ held: LockFile.Held) {
        let message = CacheLock.message(held)
        var busy = publication.current
        busy.busy = RequestError(.busy, message)
        publication.publish(busy)
        context.notifier.status(StatusLine.text(busy, format: LocalTime.short))
        context.logger.log(.cacheHeld, message)
        DispatchQueue(label: "promod.lock").async {
            guard let lock = try? CacheLock.wait(in: context.cache) else { return }
            context.logger.log(.cacheTakenOver, "The cache is free, and promod takes over")
            let initial = context.loadConfiguration()
            plane.perform { [loadGuard] plane in
                loadGuard.load { plane.start(initial, lock: lock, loadsCache: $0) }
            }
        }
    }
}
