import Dispatch

/// Starts the control plane, and makes it keep the cache: at once, or as soon as another promod releases it.
struct PlaneStart: Sendable {
    let context: DaemonContext
    let plane: ControlPlane
    let loadGuard: LoadGuard

    /// Starts the plane; returns as soon as requests can be answered. If another promod holds the cache, the plane reads it, and takes
    /// over as soon as it is free.
    func begin(_ initial: ControlPlane.InitialConfiguration, _ lock: CacheLock) {
        switch lock {
        case .taken(let file): start { $0.start(initial, lock: file, loadsCache: $1) }
        case .unavailable: start { $0.start(initial, lock: nil, loadsCache: $1) }
        case .held(let held):
            start { $0.start(initial, lock: nil, owner: held.owner, loadsCache: $1) }
            context.logger.log(.cacheHeld, "\(CacheLock.message(held)). Until it is free, promod only reads it")
            takeOverLater()
        }
    }

    private func start(_ body: @escaping @Sendable (isolated ControlPlane, _ loadsCache: Bool) -> Void) {
        let started = DispatchSemaphore(value: 0)
        plane.perform { [loadGuard] plane in
            loadGuard.load { body(plane, $0) }
            plane.loadLater(loadGuard)
            started.signal()
        }
        started.wait()
    }

    private func takeOverLater() {
        DispatchQueue(label: "promod.lock").async {
            guard let lock = try? CacheLock.wait(in: context.cache) else { return }
            context.logger.log(.cacheTakenOver, "The cache is free, and promod takes over")
            start { $0.takeOver(lock, loadsCache: $1) }
        }
    }
}
