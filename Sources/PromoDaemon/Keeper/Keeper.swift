import CLinux
import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Carries out the commands that have to wait, and makes the snapshot from which requests are answered. It owns the configuration, the
/// reviews and the refreshers of all catalogs, and belongs to the loop's thread.
final class Keeper {
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

    /// Whether it has started, and has not stopped.
    var isRunning = false
    var configuration = Configuration()
    /// What is wrong in the configuration as it is written.
    var configurationError: String?
    /// The files of the configuration as they were when they were read.
    var versions: [[UInt64]?]?
    /// The files of catalogs that are not used.
    var ignored: [IgnoredFile] = []
    /// The names of such files for which clients have asked.
    var askedFor: Set<String> = []
    /// When a connection was last refused because there were too many.
    var lastRefusal: Timestamp?
    /// When the look at the disk began that is under way, and who waits for its end, or for a timer.
    var lookingSince: Milliseconds?
    var lookers: [@Sendable () -> Void] = []
    /// Whether promod's directories were usable, and the one that is lost since then.
    var wasUsable = false
    var lost: String?
    /// What the last look at the disk has found.
    var found: [Problem] = []
    /// Why the directories of catalogs' files are not watched; nil if they are.
    var unwatched: SystemError?
    private var problemLog = ProblemLog()
    var dropIns = DropInCatalogs()
    var roster = CatalogRoster([])
    /// The catalogs that the names had last.
    var known: KnownCatalogs
    /// Whether the files of catalogs are being read, and whether they are read again soon.
    var (isReading, isReadingPlanned) = (false, false)
    /// The readings that follow.
    var readings: [@Sendable (Keeper) -> Void] = []
    /// Whether ``publishOnce(_:)`` is under way.
    private var isChangingSeveral = false
    /// How long a look at the disk is waited for, in milliseconds.
    static let lookTime: Milliseconds = 1000
    /// The delay until freed memory is returned, in milliseconds.
    private static let givingBackTime: Milliseconds = 1000
    private(set) var isGivingBackDue = false
    /// How long status tells of a refused connection.
    private static let refusalTime = Duration.seconds(60)
    private var routeWatch: DescriptorWatch?
    /// Whether there was a default route at the last look.
    private var hadRoute = false
    private var clockWatch: DescriptorWatch?
    var dropInWatch: DropInWatch?
    /// The refreshers of all catalogs, by the digests of their addresses, and how many there were.
    var (refreshers, refresherCount): ([String: CatalogRefresher], Int) = ([:], 0)
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
        snapshot = Snapshot()
        shared = CatalogRefresher.Shared(
            events: DispatchQueue(label: "promod.events"), effects: effects, caches: CatalogCaches(in: cache),
            disk: DispatchQueue(label: "promod.disk"), intake: DispatchQueue(label: "promod.intake"))
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
    func finish(within time: DispatchTimeInterval = .seconds(600)) {
        // A job's result may lead to another job.
        for _ in 0..<4 {
            inbox.empty(into: self)
            for worker in [shared.disk, shared.intake] { worker.finish(within: time) }
        }
        inbox.empty(into: self)
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameter initial: the configuration. While it is broken, the cached catalogs are served, and nothing is fetched.
    func start(_ initial: Result<ConfigurationLoader.Loaded, BadConfiguration>) {
        isRunning = true
        watchClock()
        watchRoutes()
        watchDropIns()
        read({ initial })
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    func stop() {
        isRunning = false
        routeWatch = nil
        clockWatch = nil
        dropInWatch = nil
        refreshers.values.forEach { $0.stop() }
        refreshers = [:]
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
        guard isRunning else { return }
        publishOnce { refreshers.values.forEach { $0.clockSet() } }
    }

    private func routesChanged() {
        let hasRoute = effects.isOnline()
        defer { hadRoute = hasRoute }
        if hasRoute, !hadRoute { networkAppeared() }
    }

    /// A default route has appeared where there was none.
    func networkAppeared() {
        refreshers.values.forEach { $0.networkAppeared() }
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
            catalog.digest.flatMap { refreshers[$0]?.snapshot } ?? CatalogSnapshot(name: entry.name)
        (snapshot.file, snapshot.error) = (entry.file, entry.problem)
        (snapshot.aliases, snapshot.hosts) = (catalog.aliases, catalog.hosts)
        return snapshot
    }

    /// What a person may have to know of or fix, the most urgent first.
    private func problems(_ snapshot: Snapshot, _ now: Timestamp) -> [Problem] {
        let catalogs = snapshot.catalogs.flatMap { $0.problems(now: now) }
        var problems = found
        if let lookingSince, loop.now - lookingSince >= Self.lookTime {
            problems.append(Problem(.directory, "disk", "The disk does not answer"))
        }
        if let configurationError {
            problems.removeAll { $0.code == .changedFiles }
            problems.append(Problem(.configuration, "configuration", configurationError))
        }
        if let error = reviews.error { problems.append(Problem(.reviews, "reviews", error)) }
        if catalogs.contains(where: { $0.code == .certificateTime }), !effects.isClockSynchronized() {
            problems.append(
                Problem(
                    .clock, "clock",
                    "The clock says \(now.rfc3339) and is not synchronised, and a certificate is not valid by it"))
        }
        problems += catalogs
        for file in ignored {
            switch file.cause {
            case .invalid: problems.append(Problem(.catalogFile, file.file, "\(file.file) is ignored: \(file.error)"))
            case .limit: problems.append(Problem(.limit, file.file, file.error, catalog: file.catalog))
            case .hidden, .shadowed:
                guard let name = file.catalog, askedFor.contains(name),
                    snapshot.choose(.name(name), for: nil) == nil
                else { continue }
                problems.append(
                    Problem(.ignoredFile, file.file, "\(file.file) is ignored: \(file.error)", catalog: name))
            }
        }
        if let lastRefusal, (.zero..<Self.refusalTime).contains(now - lastRefusal) {
            problems.append(
                Problem(.limit, "connections", "Clients were refused or had to wait, because too many were connected"))
        }
        if let unwatched {
            problems.append(Problem(.watches, "inotify", "Changes of catalogs' files are not noticed: \(unwatched)"))
        }
        return problems
    }

    func publish() {
        // The results of jobs come after a stop, too.
        guard isRunning, !isChangingSeveral else { return }
        var next = Snapshot()
        next.catalogs = roster.catalogs.map(snapshot(of:))
        next.isForEveryName = roster.catalogs.contains { $0.isSample && !$0.bundled.isEmpty }
        (next.ignored, next.launched) = (ignored, reviews.launched)
        let now = effects.now()
        next.problems = problemLog.update(problems(next, now), now: now)
        let isOther = next.generations != snapshot.generations
        snapshot = next
        server?.published(next)
        if isOther { giveBackMemory() }
        var status = StatusResult()
        (status.problems, status.catalogs) = (next.problems, next.catalogs.map { $0.status(now: now) })
        effects.notifier.status(status.headline(format: LocalTime.short))
    }

    /// Returns freed memory to the system in a moment, once for all that is freed until then: glibc keeps it for a next use, which here is
    /// the next catalog, tomorrow, or the next thousand clients.
    func giveBackMemory() {
        guard !isGivingBackDue else { return }
        isGivingBackDue = true
        loop.schedule(at: loop.now + Self.givingBackTime) { [unowned self] in
            isGivingBackDue = false
            shared.intake.async { promod_give_back_memory() }
        }
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
