import CLinux
import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Carries out the commands that have to wait, and makes the snapshot from which requests are answered. It owns the configuration, the
/// reviews and the refreshers of all catalogs, and belongs to the loop's thread.
final class Keeper {
    enum Life {
        case starting
        case running
        case stopped
    }

    /// Takes jobs from other threads.
    let inbox: Inbox<Keeper>
    let loop: PollLoop
    private var inboxSource: InboxSource<Keeper>?
    let effects: Effects
    let log: KeeperLog
    /// What requests are answered from.
    private(set) var snapshot: Snapshot
    /// Answers the clients.
    weak var server: QueryServer?
    let shared: CatalogRefresher.Shared
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
    /// Whether one of the readings that follow is that of a SIGHUP.
    var isReloadWaiting = false
    /// The readings that follow.
    var readings: [@Sendable (Keeper) -> Void] = []
    /// Whether ``publishOnce(_:)`` is under way.
    private var isChangingSeveral = false
    /// The time after a change of a route in which others follow, in milliseconds.
    private static let routeTime: Milliseconds = 100
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

    /// A keeper that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(loop: PollLoop, effects: Effects, cache: PrivateDirectory, state: PrivateDirectory) throws(SystemError) {
        (self.loop, self.effects) = (loop, effects)
        inbox = try Inbox<Keeper>()
        log = KeeperLog(logger: effects.logger)
        snapshot = Snapshot(cachePath: cache.path)
        shared = CatalogRefresher.Shared(
            events: DispatchQueue(label: "promod.events"), effects: effects, caches: CatalogCaches(in: cache),
            disk: try Worker("promod.disk"), intake: try Worker("promod.intake"))
        known = shared.caches.known()
        reviews = Reviews(file: ReviewFile(directory: state))
        let source = InboxSource(inbox, of: self)
        inboxSource = source
        try loop.add(inbox.descriptor, source, for: .input)
    }

    /// A callback for other threads, which has the body run in the loop.
    func callback(_ body: @escaping @Sendable (Keeper) -> Void) -> @Sendable () -> Void {
        { [inbox] in inbox.submit(body) }
    }

    /// Waits until everything that was submitted is done, with the jobs that it leads to.
    func finish() {
        // A job's result may lead to another job.
        for _ in 0..<4 {
            inbox.empty(into: self)
            for worker in [shared.disk, shared.intake] { worker.finish() }
        }
        inbox.empty(into: self)
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    func start(_ initial: InitialConfiguration) {
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
    func stop() {
        life = .stopped
        routeWatch = nil
        clockWatch = nil
        dropInWatch = nil
        refreshers.stopAll()
    }

    private func watchRoutes() {
        do {
            routeWatch = try .ofRoutes(queue: shared.events, changed: callback { $0.routesChanged() })
            hadRoute = effects.isOnline()
        } catch {
            effects.logger.log(
                .routesNotWatched,
                "The return of the network will not be noticed, so a retry waits for its time: \(error)")
        }
    }

    private func watchClock() {
        do {
            clockWatch = try .ofClock(queue: shared.events, set: callback { $0.clockSet() })
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
        loop.schedule(at: loop.now + Self.routeTime) { [unowned self] in lookAtRoutes() }
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

    private func snapshot(of catalog: CatalogRoster.Catalog) -> CatalogSnapshot {
        let entry = catalog.entry
        var snapshot =
            catalog.digest.flatMap { refreshers[$0]?.snapshot } ?? CatalogSnapshot(name: entry.name, cachePath: "")
        (snapshot.file, snapshot.error) = (entry.file, entry.problem)
        (snapshot.aliases, snapshot.hosts) = (catalog.aliases, catalog.hosts)
        return snapshot
    }

    func publish() {
        // The results of jobs come after a stop, too.
        guard case .running = life, !isChangingSeveral else { return }
        var next = Snapshot(cachePath: snapshot.none.cache.path)
        next.serial = snapshot.serial + 1
        next.catalogs = roster.catalogs.map(snapshot(of:))
        next.trial = roster.trial.map(snapshot(of:))
        next.configuration = configurationStatus
        next.launched = reviews.launched
        next.reviewsError = reviews.error
        let isOther = next.generations != snapshot.generations
        snapshot = next
        server?.published(next)
        if isOther {
            // glibc keeps freed memory for a next use, which here is the next catalog, tomorrow. Later, because the job that brought this one
            // still refers to the reply.
            loop.later { [intake = shared.intake] in intake.submit { promod_give_back_memory() } }
        }
        effects.notifier.status(StatusLine.text(next, now: effects.now(), format: LocalTime.short))
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
