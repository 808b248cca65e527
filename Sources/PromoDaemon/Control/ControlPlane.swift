import Dispatch
import PromoCore
import PromoProcess
package import PromoWire

/// Carries out commands that have to wait. It owns the configuration, the reviews and the refreshers of all catalogs, all on one
/// private queue, and publishes the snapshot from which requests are answered.
package actor ControlPlane {
    enum Life {
        case starting
        case running
        case stopped
    }

    nonisolated let executor = QueueExecutor(label: "promod.control")
    /// The actor holds the executor for as long as it lives.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated private let handover: Handover
    let effects: Effects
    let log: ControlLog
    let publication: Publication
    let cache: PrivateDirectory
    nonisolated let shared: CatalogRefresher.Shared
    var reviews: ReviewStore
    /// When the file of the history was last looked at for a client that did not ask about reviews.
    var reviewsCheckedAt: Timestamp?
    var gathered = Gathered()

    var life = Life.starting
    var lock: LockFile?
    /// Another promod that keeps the cache, which this one only reads; nil if this one keeps it.
    var owner: CacheOwner?
    private var lockLost: @Sendable (LockFile.Held) -> Void = { _ in }
    var configuration = Configuration()
    var configurationStatus = ConfigurationStatus()
    /// The file that sets the address of the default catalog.
    var catalogFile: String?
    var dropIns = DropInCatalogs()
    var kept = KeptCatalogs()
    var dropInPace = DropInPace()
    /// Whether several catalogs are being changed, and the snapshot is published when all are.
    private var isChangingSeveral = false
    private var routeWatch: DescriptorWatch?
    private var clockWatch: DescriptorWatch?
    var dropInWatch: DropInWatch?
    var refreshers = Refreshers()
    /// Whether a configuration has been in force.
    var isConfigured = false
    /// The source of the default catalog that was in force before; nil if none was.
    var lastSource: CatalogConfiguration.Source?

    /// A plane that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history and the accepted signatures.
    /// - Throws: ``SystemError`` if no descriptor is left.
    package init(
        effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory
    ) throws(SystemError) {
        handover = try Handover(to: executor.queue)
        self.effects = effects
        self.publication = publication
        self.cache = cache
        log = ControlLog(logger: effects.logger)
        shared = CatalogRefresher.Shared(
            queue: executor.queue, effects: effects, caches: CatalogCaches(in: cache),
            signatures: SignatureStore(directory: state, logger: effects.logger))
        reviews = ReviewStore(directory: state, logger: effects.logger, uptime: effects.uptime)
        effects.clock.observe { [weak self] in self?.perform { $0.clockSet() } }
    }

    /// Runs something on the plane's queue. The caller never waits.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        handover.submit { self.assumeIsolated(body) }
    }

    /// A callback for the plane's own queue.
    nonisolated func entry(
        _ body: @escaping @Sendable (isolated ControlPlane) -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated(body) }
    }

    /// Waits until everything that was given to ``perform(_:)`` is done.
    package nonisolated func finish() {
        executor.queue.sync { handover.runSubmitted() }
        // What a fetch has brought is read on another queue, and then taken on this one.
        shared.intakes.finish()
        executor.queue.sync { handover.runSubmitted() }
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameters:
    ///   - lock: the cache's lock, kept while the plane lives; nil if it could not be taken.
    ///   - owner: another promod that holds the lock; then the plane reads what that one writes, until ``takeOver(_:loadsCache:)``.
    ///   - loadsCache: whether the cached catalogs are loaded; false if promod ended during its last loads.
    ///   - lockLost: called when another promod has taken the lock, and the plane only reads.
    package func start(
        _ initial: InitialConfiguration, lock: LockFile?, owner: CacheOwner? = nil, loadsCache: Bool = true,
        lockLost: @escaping @Sendable (LockFile.Held) -> Void = { _ in }
    ) {
        self.lockLost = lockLost
        // It may have been set while promod waited after crashes.
        clockSet()
        (self.lock, self.owner) = (lock, owner)
        configuration = initial.configuration
        configurationStatus = initial.status
        catalogFile = initial.catalogFile
        dropIns = initial.dropIns
        if let problems = initial.problems { log.configurationBroken(problems, hasOld: false) }
        life = .running
        watchClock()
        begin(loadsCache: loadsCache)
    }

    /// Begins to keep the cache, of which another promod has released the lock, with what is on disk by now.
    package func takeOver(_ lock: LockFile, loadsCache: Bool) {
        guard case .running = life else { return }
        (self.lock, owner) = (lock, nil)
        publishOnce {
            refreshers.stopAll()
            begin(loadsCache: loadsCache)
        }
    }

    private func begin(loadsCache: Bool) {
        if owner == nil {
            // A problem with the history is reported now and at each request that needs it; everything else works.
            _ = try? reviews.prepare()
            reviewsCheckedAt = effects.clock.wall
            watchRoutes()
        } else {
            _ = reviews.follow()
        }
        assign(loadsCache: loadsCache)
        // They may have changed since they were read, when nobody watched them.
        if !effects.dropInDirectories.isEmpty { readDropIns() }
    }

    /// Reads again what the promod that keeps the cache has written since the last look. No watch of files would report what another
    /// machine writes.
    package func follow() {
        guard case .running = life, let before = owner else { return }
        owner = CacheLock.owner(in: cache) ?? before
        refreshers.forEach { $0.follow() }
        if reviews.follow() || owner != before { publish() }
    }

    /// Loads after an hour what the guard made a start leave out.
    func loadLater(_ loadGuard: LoadGuard) {
        guard loadGuard.hasSkipped else { return }
        let pause = DispatchTimeInterval.seconds(Int(LoadGuard.pause.components.seconds))
        executor.queue.asyncAfter(
            deadline: .now() + pause, execute: entry { plane in loadGuard.loadAgain { plane.loadAgain() } })
    }

    func loadAgain() {
        guard case .running = life else { return }
        publishOnce { refreshers.loadAgain() }
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    package func stop() {
        life = .stopped
        answerGathered()
        routeWatch = nil
        clockWatch = nil
        dropInWatch = nil
        refreshers.forEach { $0.stop() }
    }

    private func watchRoutes() {
        do {
            routeWatch = try .ofRoutes(queue: executor.queue, defaultRouteAdded: entry { $0.networkAppeared() })
        } catch {
            log.routesNotWatched(error)
        }
    }

    private func watchClock() {
        do {
            clockWatch = try .ofClock(queue: executor.queue, set: entry { $0.clockSet() })
        } catch {
            log.clockNotWatched(error)
        }
    }

    /// The wall clock was set, or the machine was suspended.
    func clockSet() {
        if let step = effects.clock.stepBack() {
            // Published before the clock follows, or the server would show old times by the new clock.
            let now = effects.clock.now() + step
            publishOnce { refreshers.forEach { $0.move(by: step, now: now) } }
            effects.clock.follow(step)
            log.clockSetBack(by: .zero - step)
        }
        guard case .running = life else { return }
        publishOnce { refreshers.forEach { $0.clockSet() } }
    }

    func networkAppeared() {
        refreshers.forEach { $0.networkAppeared() }
    }

    /// Somebody may have removed the file of the lock, and another promod may have taken the lock that it finds there.
    func checkLock() {
        if lock?.isInPlace == false { takeLock() }
    }

    func takeLock() {
        guard owner == nil else { return }
        let former = lock
        switch CacheLock.take(in: cache) {
        case .taken(let taken): lock = taken
        case .held(let other): yield(to: other)
        case .unavailable(let reason):
            lock = nil
            if former != nil { log.cacheNotLocked(reason) }
        }
        // Its file may come back.
        former?.release()
    }

    /// Another promod has taken the lock, whose file somebody removed: from now on that one keeps the cache, and this one reads it.
    private func yield(to held: LockFile.Held) {
        answerGathered()
        reviews.close()
        (lock, owner, routeWatch) = (nil, held.owner, nil)
        publishOnce {
            refreshers.stopAll()
            begin(loadsCache: true)
        }
        lockLost(held)
    }

    // MARK: Publication

    /// Publishes after several catalogs were changed, and not after each.
    func publishOnce(_ change: () -> Void) {
        isChangingSeveral = true
        change()
        isChangingSeveral = false
        publish()
    }

    func publish() {
        guard !isChangingSeveral else { return }
        var snapshot = Snapshot(catalog: catalogSnapshot(CatalogReference.defaultName))
        snapshot.catalog.file = catalogFile
        snapshot.catalog.error = configurationStatus.error
        snapshot.catalog.aliases = kept.aliasesOfDefault
        if configurationStatus.error != nil, snapshot.catalog.isUnconfigured {
            (snapshot.catalog.isUnconfigured, snapshot.catalog.isUnknown) = (false, true)
        }
        snapshot.others = kept.others.map { catalog in
            var snapshot = catalogSnapshot(catalog.name)
            snapshot.file = catalog.file
            snapshot.aliases = catalog.aliases
            snapshot.error = catalog.problem ?? (isUnknown ? configurationStatus.error : nil)
            // Its clients may name it by its address even while it is not fetched.
            snapshot.refresh.url = catalog.configuration.url?.description
            if let url = catalog.configuration.url {
                (snapshot.identity, snapshot.isUnknown) = (url.requestText, false)
            }
            return snapshot
        }
        snapshot.configuration = configurationStatus
        snapshot.reviewPolicy = configuration.review
        snapshot.reviews = reviews.history
        snapshot.reviewsError = reviews.problem
        snapshot.reviewsCheckedAt = owner == nil ? reviewsCheckedAt : nil
        snapshot.owner = owner
        let before = publication.current.generations
        publication.publish(snapshot)
        if snapshot.generations != before {
            reviews.namesChanged()
            shared.intakes.perform { Memory.giveBack() }
        }
        effects.notifier.status(StatusLine.text(snapshot, now: effects.clock.wall, format: LocalTime.short))
    }

    private func catalogSnapshot(_ name: String) -> CatalogSnapshot {
        refreshers[name]?.snapshot ?? publication.current.catalog
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
