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
    /// The file that is in force or has to be fixed, and what is wrong in the configuration as it is written.
    var configurationFile: String?, configurationError: String?
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
    var lookers: [(timer: PollLoop.TimerID, completion: @Sendable () -> Void)] = []
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
    /// The time after a change of a route in which others follow, in milliseconds.
    private static let routeTime: Milliseconds = 100
    /// How long a look at the disk is waited for, in milliseconds.
    static let lookTime: Milliseconds = 1000
    /// How long status tells of a refused connection.
    private static let refusalTime = Duration.seconds(60)
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
        snapshot = Snapshot()
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
    func start(_ initial: InitialConfiguration) {
        if case .broken(_, let file) = initial { configurationFile = file }
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
        guard case .running = life, !isChangingSeveral else { return }
        var next = Snapshot()
        next.serial = snapshot.serial + 1
        next.catalogs = roster.catalogs.map(snapshot(of:))
        next.isForEveryName = roster.catalogs.contains { $0.isSample && !$0.bundled.isEmpty }
        (next.ignored, next.launched) = (ignored, reviews.launched)
        let now = effects.now()
        next.problems = problemLog.update(problems(next, now), now: now)
        let isOther = next.generations != snapshot.generations
        snapshot = next
        server?.published(next)
        if isOther {
            // glibc keeps freed memory for a next use, which here is the next catalog, tomorrow. Later, because the job that brought this one
            // still refers to the reply.
            loop.later { [intake = shared.intake] in intake.submit { promod_give_back_memory() } }
        }
        var status = StatusResult()
        (status.problems, status.catalogs) = (next.problems, next.catalogs.map { $0.status(now: now) })
        effects.notifier.status(status.headline(format: LocalTime.short))
    }
}

extension Snapshot {
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
