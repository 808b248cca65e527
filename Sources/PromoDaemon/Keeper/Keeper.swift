import CLinux
import Dispatch
import Glibc
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
        var hasRoute: @Sendable () -> Bool
        /// Loads the configuration after the drop-ins that were read before.
        var loadConfiguration: @Sendable (DropInCatalogs) throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The environment, in which a proxy may be set.
        var environment: [String: String] = [:]
        /// The directories of drop-ins that are watched.
        var dropInDirectories: [String] = []
        var loadDropIns: @Sendable (DropInCatalogs) -> DropInCatalogs
        /// Looks at promod's directories and files.
        var look: DiskLook?
        /// Whether the clock is synchronised; an error counts as yes.
        var isClockSynchronized: @Sendable () -> Bool = { ProcessSetup.isClockSynchronized }
        /// Whether a promod whose configuration is broken at its start serves what is cached; else it reads no further.
        var servesBroken = true
        /// Called with each configuration that comes into force.
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
    /// The queue of wall timers, whose handlers only pass it on to the loop.
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
    private(set) lazy var lists = ListMaker(self)

    /// Whether it has started, and has not stopped.
    private(set) var isRunning = false
    /// Those who wait until everything is read.
    private var startWaiters: [() -> Void] = []
    /// Whether ``publishOnce(_:)`` is under way.
    private var isChangingSeveral = false
    /// The delay until freed memory is returned, in milliseconds.
    private static let givingBackTime: Milliseconds = 1000
    private(set) var givingBack: PollLoop.TimerID?
    /// Whether there was a default route at the last look.
    private var hadRoute = false
    /// The descriptors through which the kernel reports changes.
    private var watched: [Int32] = []

    /// A keeper that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(loop: PollLoop, effects: Effects, cache: PrivateDirectory, state: PrivateDirectory) throws(SystemError) {
        (self.loop, self.effects, self.cache, self.state) = (loop, effects, cache, state)
        inbox = try Inbox<Keeper>()
        snapshot = Snapshot(isRead: false)
        try loop.add(inbox.descriptor, for: .input) { [unowned self] _ in
            inbox.empty(into: self, isLate: { self.loop.isLate })
        }
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
            for worker in [disk, intake, lists.queue] { worker.finish(within: time) }
        }
        inbox.empty(into: self)
    }

    // MARK: Life

    /// Reads what is on disk, publishes it and begins to keep it fresh. While the configuration is broken, the cached catalogs are served,
    /// and nothing is fetched.
    /// - Parameter done: called when everything is read.
    func start(then done: @escaping @Sendable (Keeper) -> Void = { _ in }) {
        isRunning = true
        watch(
            promod_open_clock_watch(), of: "the wall clock", .clockNotWatched,
            "A step of the clock is noticed only at a request or a refresh"
        ) { [unowned self] in
            promod_rearm_clock_watch($0)
            clockSet()
        }
        watch(
            promod_open_route_socket(), of: "the kernel's routes", .routesNotWatched,
            "The return of the network ends no pause"
        ) { [unowned self] in
            if promod_read_route_changes($0) != 0 { routesChanged() }
        }
        hadRoute = effects.hasRoute()
        reviews.read()
        catalogs.start(then: done)
    }

    /// Calls back when everything is read, or at once.
    func whenRead(_ body: @escaping () -> Void) {
        if snapshot.isRead { body() } else { startWaiters.append(body) }
    }

    /// Stops with the server. Requests that wait for what is read at the start are answered first, if that is read in time.
    func stopServing() {
        if catalogs.hasRead {
            stop()
        } else {
            whenRead { [unowned self] in loop.later { self.stop() } }
        }
        server?.stop()
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    func stop() {
        isRunning = false
        for descriptor in watched {
            loop.remove(descriptor)
            close(descriptor)
        }
        watched = []
        catalogs.stop()
    }

    /// Calls back when the kernel reports something through a descriptor. It refuses with a negative number, for example in a sandbox
    /// without netlink, or for lack of descriptors; the daemon works without.
    private func watch(
        _ descriptor: Int32, of subject: String, _ refusal: JournalEvent, _ consequence: String,
        _ changed: @escaping (Int32) -> Void
    ) {
        do throws(SystemError) {
            guard descriptor >= 0 else { throw SystemError("watch", subject) }
            try loop.add(descriptor, for: .input) { _ in changed(descriptor) }
            watched.append(descriptor)
        } catch {
            effects.logger.log(refusal, "\(consequence): \(error)")
        }
    }

    /// The wall clock was set, or the machine was suspended.
    func clockSet() {
        guard isRunning else { return }
        publishOnce { catalogs.forEach { $0.clockSet() } }
    }

    private func routesChanged() {
        let hasRoute = effects.hasRoute()
        defer { hadRoute = hasRoute }
        if hasRoute, !hadRoute { networkAppeared() }
    }

    /// A default route has appeared where there was none.
    func networkAppeared() {
        catalogs.forEach { $0.networkAppeared() }
    }

    /// Whether requests can leave this machine: by a route to a global address, or through a proxy.
    var isOnline: @Sendable () -> Bool {
        { [hasRoute = effects.hasRoute, isProxied = snapshot.isProxied] in isProxied || hasRoute() }
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
        guard isRunning, !isChangingSeveral, catalogs.hasRead else { return }
        var next = Snapshot()
        next.catalogs = catalogs.snapshots
        next.isForEveryName = catalogs.roster.catalogs.contains { $0.isSample && !$0.bundled.isEmpty }
        (next.ignored, next.launched, next.launches) = (catalogs.ignored, reviews.launched, reviews.launches)
        let now = effects.now()
        next.problems = problems.current(in: next, now: now)
        let (last, isOther) = (snapshot, next.generations != snapshot.generations)
        snapshot = next
        server?.published(next)
        let waiters = startWaiters
        startWaiters = []
        waiters.forEach { $0() }
        if isOther {
            // To free a large catalog takes milliseconds, which the loop has not.
            intake.async { withExtendedLifetime(last) {} }
            giveBackMemory()
        }
        var status = StatusResult()
        (status.problems, status.catalogs) = (next.problems, next.catalogs.map { $0.status(now: now) })
        effects.notifier.status(status.headline(format: LocalTime.short))
    }

    /// Returns freed memory to the system when nothing more has been freed for a moment: glibc keeps it for a next use, which here is the
    /// next catalog, tomorrow, or the next thousand clients. While it is returned, no thread can allocate.
    func giveBackMemory() {
        givingBack.map(loop.cancel)
        givingBack = loop.schedule(at: loop.now + Self.givingBackTime) { [unowned self] in
            givingBack = nil
            intake.async { promod_give_back_memory() }
        }
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
