import CLinux
import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Carries out the commands that have to wait, and publishes the snapshot from which requests are answered. It owns the configuration,
/// the reviews and the refreshers of all catalogs, on one private queue.
package actor ControlPlane {
    enum Life {
        case starting
        case running
        case stopped
    }

    nonisolated let executor = QueueExecutor(label: "promod.control")
    /// The actor holds the executor for as long as it lives.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated private let worker: Worker
    let effects: Effects
    let log: ControlLog
    let publication: Publication
    nonisolated let shared: CatalogRefresher.Shared
    var reviews: Reviews

    var life = Life.starting
    var configuration = Configuration()
    var configurationStatus = ConfigurationStatus()
    var dropIns = DropInCatalogs()
    var roster = CatalogRoster([])
    /// The catalogs that the names had last.
    var known: KnownCatalogs
    /// Whether the files of catalogs are being read, and whether they are read again soon.
    var (isReading, isReadingPlanned) = (false, false)
    /// The readings that follow.
    var readings: [@Sendable (isolated ControlPlane) -> Void] = []
    /// Whether ``publishOnce(_:)`` is under way.
    private var isChangingSeveral = false
    private var routeWatch: DescriptorWatch?
    /// Whether there was a default route at the last look.
    private var hadRoute = false
    private var isRouteLookDue = false
    private var clockWatch: DescriptorWatch?
    var dropInWatch: DropInWatch?
    var refreshers = Refreshers()
    /// Whether it was logged which catalogs there are.
    var hasReported = false
    /// Whether a configuration has been in force.
    var isConfigured = false

    /// A plane that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    /// - Throws: ``SystemError`` if no descriptor is left.
    package init(
        effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory
    ) throws(SystemError) {
        worker = try Worker(queue: executor.queue)
        self.effects = effects
        self.publication = publication
        log = ControlLog(logger: effects.logger)
        shared = CatalogRefresher.Shared(
            queue: executor.queue, effects: effects, caches: CatalogCaches(in: cache), disk: try Worker("promod.disk"),
            intake: try Worker("promod.intake"))
        known = shared.caches.known()
        reviews = Reviews(file: ReviewFile(directory: state))
    }

    /// Runs a body on the plane's queue. The caller never waits.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        worker.submit { self.assumeIsolated(body) }
    }

    /// A callback for the plane's own queue.
    nonisolated func callback(
        _ body: @escaping @Sendable (isolated ControlPlane) -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated(body) }
    }

    /// Waits until everything that was submitted to ``perform(_:)`` is done.
    package nonisolated func finish() {
        // A job of another worker gives its result back, which may lead to another job.
        for _ in 0..<4 {
            for worker in [worker, shared.disk, shared.intake] { worker.finish() }
        }
        worker.finish()
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    package func start(_ initial: InitialConfiguration) {
        if case .broken(_, let file) = initial { configurationStatus.file = file }
        life = .running
        watchClock()
        watchRoutes()
        watchDropIns()
        read({
            switch initial {
            case .loaded(let loaded): .success(loaded)
            case .broken(let problems, _): .failure(problems)
            }
        })
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    package func stop() {
        life = .stopped
        routeWatch = nil
        clockWatch = nil
        dropInWatch = nil
        refreshers.stopAll()
    }

    private func watchRoutes() {
        do {
            routeWatch = try .ofRoutes(queue: executor.queue, changed: callback { $0.routesChanged() })
            hadRoute = effects.isOnline()
        } catch {
            effects.logger.log(
                .routesNotWatched,
                "The return of the network will not be noticed, so a retry waits for its time: \(error)")
        }
    }

    private func watchClock() {
        do {
            clockWatch = try .ofClock(queue: executor.queue, set: callback { $0.clockSet() })
        } catch {
            effects.logger.log(
                .clockNotWatched, "A step of the clock is noticed only when a client asks or a refresh is due: \(error)"
            )
        }
    }

    /// The wall clock was set, or the machine was suspended.
    func clockSet() {
        guard case .running = life else { return }
        publishOnce { refreshers.forEach { $0.clockSet() } }
    }

    /// Looks at the routes in a moment: the kernel reports an interface before its routes are gone, and a replaced route as two changes.
    private func routesChanged() {
        guard !isRouteLookDue else { return }
        isRouteLookDue = true
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(100), execute: callback { $0.lookAtRoutes() })
    }

    private func lookAtRoutes() {
        isRouteLookDue = false
        let hasRoute = effects.isOnline()
        defer { hadRoute = hasRoute }
        if hasRoute, !hadRoute { networkAppeared() }
    }

    /// A default route has appeared where there was none.
    func networkAppeared() {
        refreshers.forEach { $0.networkAppeared() }
    }

    // MARK: Publication

    /// Publishes once after a change of several catalogs.
    func publishOnce(_ change: () -> Void) {
        isChangingSeveral = true
        change()
        isChangingSeveral = false
        publish()
    }

    func publish() {
        guard !isChangingSeveral else { return }
        var snapshot = Snapshot(cachePath: publication.current.none.cache.path)
        snapshot.catalogs = roster.catalogs.map { catalog in
            let entry = catalog.entry
            var snapshot =
                catalog.digest.flatMap { refreshers[$0]?.snapshot } ?? CatalogSnapshot(name: entry.name, cachePath: "")
            (snapshot.file, snapshot.error) = (entry.file, entry.problem)
            (snapshot.aliases, snapshot.hosts) = (catalog.aliases, catalog.hosts)
            return snapshot
        }
        snapshot.configuration = configurationStatus
        snapshot.launched = reviews.launched
        snapshot.reviewsError = reviews.error
        let before = publication.current.generations
        publication.publish(snapshot)
        if snapshot.generations != before {
            // glibc keeps freed memory for a next use, which here is the next catalog, tomorrow.
            shared.intake.submit { promod_give_back_memory() }
        }
        effects.notifier.status(StatusLine.text(snapshot, now: effects.now(), format: LocalTime.short))
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
