import Dispatch

/// Starts the control plane, which keeps the cache at once, or as soon as another promod releases it.
struct PlaneStart: Sendable {
    let context: DaemonContext
    let plane: ControlPlane

    private static let pause = DispatchTimeInterval.seconds(60)

    /// Starts the plane; returns as soon as requests can be answered. If another promod holds the cache, the plane reads it until it is
    /// free.
    func begin(_ initial: ControlPlane.InitialConfiguration, _ lock: CacheLock) {
        let file: LockFile? = if case .taken(let file) = lock { file } else { nil }
        let holder: LockFile.Holder? = if case .held(let holder) = lock { holder } else { nil }
        start {
            $0.start(initial, lock: file, owner: holder?.owner) { onlyRead($0) }
        }
        if let holder { onlyRead(holder) }
    }

    private func onlyRead(_ holder: LockFile.Holder) {
        context.logger.log(.cacheHeld, "\(CacheLock.message(holder)). Until it is free, promod only reads it")
        takeOverLater()
    }

    private func start(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        let started = DispatchSemaphore(value: 0)
        plane.perform { plane in
            body(plane)
            started.signal()
        }
        started.wait()
    }

    private func takeOverLater() {
        DispatchQueue(label: "promod.lock").async { waitForLock() }
    }

    private func waitForLock() {
        do {
            let lock = try CacheLock.wait(in: context.cache)
            context.logger.log(.cacheTakenOver, "The cache is free, and promod takes over")
            start { $0.takeOver(lock) }
        } catch {
            // A file system may lose its locks for a while.
            DispatchQueue(label: "promod.lock").asyncAfter(deadline: .now() + Self.pause) { waitForLock() }
        }
    }
}
