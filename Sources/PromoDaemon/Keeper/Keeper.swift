import CLinux
import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Carries out the commands that have to wait, and makes the snapshot from which requests are answered. It owns the configuration, the
/// reviews and the refreshers of all catalogs, and belongs to the loop's thread.
final class Keeper {
    /// The keeper's access to the outside world, which tests replace.
    struct Effects: Sendable {
        var origin: any Origin
        /// The wall clock.
        var now: @Sendable () -> Timestamp = ProcessSetup.now
        /// Whether the kernel has a route to a global address.
        var isOnline: @Sendable () -> Bool
        /// The monotonic clock.
        var uptime: @Sendable () -> Milliseconds = ProcessSetup.uptime
        var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The environment, in which a proxy may be set.
        var environment: [String: String] = [:]
        /// The directories of catalogs' files that are watched.
        var dropInDirectories: [String] = []
        var loadDropIns: @Sendable () -> DropInCatalogs
        /// Looks at promod's directories and files.
        var look: DiskLook?
        /// Whether the clock is synchronised; an error counts as yes.
        var isClockSynchronized: @Sendable () -> Bool = { ProcessSetup.isClockSynchronized }
        /// Called with each configuration that comes into force after the start.
        var configurationChanged: @Sendable (Configuration) -> Void
        var notifier: Notifier
        var logger: Logger
    }

    /// Takes jobs from other threads.
    let inbox: Inbox<Keeper>
    let loop: PollLoop
    let effects: Effects
    /// What requests are answered from.
    private(set) var snapshot: Snapshot
    /// Answers the clients.
    weak var server: QueryServer?
    /// The queue of timers and of what the kernel reports, whose handlers only pass it on to the loop.
    let events = DispatchQueue(label: "promod.events")
    /// Reads and writes files.
    let disk = DispatchQueue(label: "promod.disk")
    /// Reads and stores fetched catalogs, because a large one takes long, and other files must not wait for it.
    let intake = DispatchQueue(label: "promod.intake")
    let caches: CatalogCaches
    let naming = CatalogLog.Naming()
    var reviews: Reviews

    /// Whether it has started, and has not stopped.
    var isRunning = false
    /// The configuration in force. What reads it where it is used follows a reload.
    var configuration = Configuration()
    /// What is wrong in the configuration as it is written.
    var configurationError: String?
    /// The files of the configuration as they were when they were read.
    var versions: [[UInt64]?]?
    /// The places of promod's directories when files were read last.
    var places: [String: [UInt64]] = [:]
    /// The files of catalogs that are not used.
    var ignored: [IgnoredFile] = []
    /// When a connection was last refused because there were too many.
    var lastRefusal: Timestamp?
    /// When the current look at the disk began, and who waits for its end or for a timer.
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
        snapshot = Snapshot()
        caches = CatalogCaches(in: cache)
        known = caches.known()
        reviews = Reviews(file: ReviewFile(directory: state))
        try loop.add(inbox.descriptor, for: .input) { [unowned self] _ in inbox.empty(into: self) }
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
            for worker in [disk, intake] { worker.finish(within: time) }
        }
        inbox.empty(into: self)
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameter initial: the configuration. While it is broken, the cached catalogs are served, and nothing is fetched.
    func start(_ initial: Result<ConfigurationLoader.Loaded, BadConfiguration>) {
        isRunning = true
        clockWatch = watch(.clockNotWatched, "A step of the clock is noticed only at a request or a refresh") {
            () throws(SystemError) in try .ofClock(queue: events, set: callback { $0.clockSet() })
        }
        routeWatch = watch(.routesNotWatched, "The return of the network ends no pause") {
            () throws(SystemError) in try .ofRoutes(queue: events, changed: callback { $0.routesChanged() })
        }
        hadRoute = effects.isOnline()
        watchMounts()
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

    /// What the kernel reports through a descriptor; nil, and logged, if it refuses to.
    private func watch(
        _ refusal: JournalEvent, _ consequence: String, _ open: () throws(SystemError) -> DescriptorWatch
    ) -> DescriptorWatch? {
        do { return try open() } catch {
            effects.logger.log(refusal, "\(consequence): \(error)")
            return nil
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

    /// What a person may have to know or fix, the most urgent first.
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
        problems += ignored.compactMap { file in
            file.problem.map { Problem($0, file.file, "\(file.file) is ignored: \(file.error)", catalog: file.catalog) }
        }
        if let lastRefusal, (.zero..<Self.refusalTime).contains(now - lastRefusal) {
            problems.append(
                Problem(.limit, "connections", "Clients were refused or had to wait, because too many were connected"))
        }
        if let unwatched {
            problems.append(
                Problem(
                    .watches, "inotify",
                    "Changes to catalogs' files are noticed only at a refresh or a reload: \(unwatched)"))
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
            intake.async { promod_give_back_memory() }
        }
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
