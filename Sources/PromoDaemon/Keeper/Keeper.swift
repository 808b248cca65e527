import CLinux
import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Makes the snapshot from which requests are answered, from what its four parts keep: the catalogs, the reviews, the problems, and the
/// commands that wait. It belongs to the loop's thread, as they do.
final class Keeper {
    /// The keeper's access to the outside world, which tests replace.
    struct Effects: Sendable {
        var origin: any Origin
        /// The wall clock.
        var now: @Sendable () -> Timestamp = ProcessSetup.now
        /// Whether the kernel has a route to a global address.
        var isOnline: @Sendable () -> Bool
        /// Loads the configuration after the files of catalogs that were read before.
        var loadConfiguration: @Sendable (DropInCatalogs) throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The environment, in which a proxy may be set.
        var environment: [String: String] = [:]
        /// The directories of catalogs' files that are watched.
        var dropInDirectories: [String] = []
        var loadDropIns: @Sendable (DropInCatalogs) -> DropInCatalogs
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
    private let (cache, state): (PrivateDirectory, PrivateDirectory)
    private(set) lazy var catalogs = CatalogKeeper(self, cache: cache)
    private(set) lazy var reviews = ReviewKeeper(self, file: ReviewFile(directory: state))
    private(set) lazy var problems = ProblemKeeper(self)
    private(set) lazy var commands = CommandKeeper(self)

    /// Whether it has started, and has not stopped.
    private(set) var isRunning = false
    /// Whether ``publishOnce(_:)`` is under way.
    private var isChangingSeveral = false
    /// The delay until freed memory is returned, in milliseconds.
    private static let givingBackTime: Milliseconds = 1000
    private(set) var isGivingBackDue = false
    private var routeWatch: DescriptorWatch?
    /// Whether there was a default route at the last look.
    private var hadRoute = false
    private var clockWatch: DescriptorWatch?

    /// A keeper that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(loop: PollLoop, effects: Effects, cache: PrivateDirectory, state: PrivateDirectory) throws(SystemError) {
        (self.loop, self.effects, self.cache, self.state) = (loop, effects, cache, state)
        inbox = try Inbox<Keeper>()
        snapshot = Snapshot()
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
        catalogs.start(initial)
        reviews.read()
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    func stop() {
        isRunning = false
        routeWatch = nil
        clockWatch = nil
        catalogs.stop()
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
        publishOnce { catalogs.forEach { $0.clockSet() } }
    }

    private func routesChanged() {
        let hasRoute = effects.isOnline()
        defer { hadRoute = hasRoute }
        if hasRoute, !hadRoute { networkAppeared() }
    }

    /// A default route has appeared where there was none.
    func networkAppeared() {
        catalogs.forEach { $0.networkAppeared() }
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
        // The results of jobs come after a stop, too.
        guard isRunning, !isChangingSeveral else { return }
        var next = Snapshot()
        next.catalogs = catalogs.snapshots
        next.isForEveryName = catalogs.roster.catalogs.contains { $0.isSample && !$0.bundled.isEmpty }
        (next.ignored, next.launched) = (catalogs.ignored, reviews.launched)
        let now = effects.now()
        next.problems = problems.current(in: next, now: now)
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
