import Dispatch
import Logging
import PromoCore
import PromoWire

/// Keeps one catalog fresh: performs what its schedule decides. It belongs to the control plane and runs on its queue.
final class CatalogRefresher {
    /// Runs a body with the refresher on the control plane's queue, unless the catalog is no longer kept.
    typealias Perform = @Sendable (_ body: @escaping @Sendable (CatalogRefresher) -> Void) -> Void

    /// Takes the outcome of a fetch; nil if the catalog is no longer kept.
    typealias Waiter = Waiters<RefreshResult?>.Waiter

    /// What all refreshers share.
    struct Shared: Sendable {
        /// The control plane's queue.
        let queue: DispatchQueue
        let effects: ControlPlane.Effects
        let caches: CatalogCaches
        let intakes = IntakeQueue()
        let naming = CatalogLog.Naming()
    }

    let icons: IconKeeper
    /// Distinguishes this refresher from a later one for the same catalog.
    let number: Int
    let shared: Shared
    let origin: any Origin
    let log: CatalogLog
    let store: CatalogStore
    let perform: Perform
    /// Called when the timer of the refresh fires; leads to ``timerFired()``.
    private let due: @Sendable () -> Void
    /// Called after each event, because this catalog's snapshot may have changed.
    private let changed: () -> Void

    /// The timers of the next refresh and of the catalog's expiry; nil before the start and after the end.
    private var timers: (refresh: WallTimer, expiry: WallTimer)?
    private(set) var assignment: Assignment
    /// The catalog that is served; nil if there is none.
    var held: HeldCatalog?
    var schedule: RefreshSchedule
    private var schedules: ScheduleStore
    private var bundled: BundledCatalog
    var fetch: ActiveFetch?
    /// The number of the last fetch; what a cancelled one brings is dropped.
    var fetches = 0
    private(set) var waiters = Waiters<RefreshResult?>()
    /// The proxy of the last fetch; nil if there was none.
    var proxy: UsedProxy?
    /// The part of the status that the schedule does not know.
    var status = RefreshStatus()
    /// When the files of the catalog and its icons were last checked.
    private var checkedAt: Timestamp

    /// A refresher that has not started.
    init(
        number: Int, _ assignment: Assignment, _ shared: Shared, perform: @escaping Perform,
        due: @escaping @Sendable () -> Void, changed: @escaping () -> Void
    ) {
        let (directory, effects) = (shared.caches.cache(of: assignment.digest), shared.effects)
        (self.number, self.assignment, self.shared) = (number, assignment, shared)
        (self.perform, self.due, self.changed) = (perform, due, changed)
        log = CatalogLog(logger: effects.logger, name: assignment.name, naming: shared.naming)
        origin = effects.origin.forAnotherCatalog()
        store = CatalogStore(directory: directory, log: log)
        schedules = ScheduleStore(directory: directory)
        bundled = BundledCatalog(paths: assignment.bundled, log: log)
        icons = IconKeeper(
            effects: effects, log: log, cache: directory, assignment: assignment, perform: perform, changed: changed)
        checkedAt = effects.now()
        schedule = RefreshSchedule(policy: assignment.policy, hasOrigin: false, held: .nothing, now: checkedAt)
    }

    // MARK: Life

    /// Loads the catalog on disk and begins to keep it fresh.
    func start() {
        let now = shared.effects.now()
        icons.load()
        held = assignment.isSample ? .sample() : store.load() ?? bundled.load()
        var record: RefreshSchedule.Record?
        do { record = try schedules.load() } catch {
            log(.scheduleUnreadable, "The refresh schedule is forgotten: \(error)")
        }
        schedule = RefreshSchedule(
            record ?? RefreshSchedule.Record(), policy: assignment.policy, hasOrigin: assignment.url != nil,
            held: whatIsHeld, now: now)
        timers = (
            WallTimer(queue: shared.queue, handler: due),
            WallTimer(queue: shared.queue) { [perform] in perform { $0.settle() } }
        )
        advance()
    }

    private var whatIsHeld: RefreshSchedule.Held {
        held?.fetchedAt.map { .fetched($0) } ?? (held == nil ? .nothing : .bundled)
    }

    /// Cancels a fetch under way, begins no other, and tells the clients that wait that promod dropped the catalog.
    func stop() {
        cancelFetch()
        schedule.cancelled(now: shared.effects.now())
        saveSchedule()
        icons.stop()
        timers = nil
        answerWaiters(nil)
    }

    /// Takes other settings for the same catalog; a fetch under way goes on.
    func assign(_ next: Assignment) {
        if assignment.bundled != next.bundled { bundled = BundledCatalog(paths: next.bundled, log: log) }
        assignment = next
        proxy = nil
        icons.assign(next)
        schedule.configured(next.policy, hasOrigin: next.url != nil, now: shared.effects.now())
        advance()
    }

    /// Serves the catalog that a package brings, if none was fetched and its file has changed. A bad file does not end one that is served.
    func checkBundled() {
        guard held == nil || held?.source == .bundled, bundled.hasChanged else { return }
        let found = bundled.load()
        if found != nil || bundled.problem == nil { held = found }
        schedule.serves(whatIsHeld, now: shared.effects.now())
        advance()
    }

    // MARK: Requests

    /// Fetches now. The waiter is called when the fetch has ended, or at once without a wait or without a fetch.
    /// - Returns: false if there is no origin to fetch from; then the waiter is not called.
    func refresh(_ parameters: RefreshParameters, for client: Int, _ waiter: @escaping Waiter) -> Bool {
        switch schedule.refreshRequested(now: shared.effects.now()) {
        case .refuse:
            return false
        case .lastOutcome:
            let error = schedule.record.lastError ?? store.problem.map { Failure(.storage, $0) }
            let outcome = schedule.record.lastOutcome ?? .failed
            let retryAt = outcome == .failed ? schedule.next?.at : nil
            waiter(RefreshResult(outcome: outcome, generation: held?.generation, error: error, retryAt: retryAt))
            return true
        case .join:
            break
        case .fetch(let fetch):
            begin(fetch)
        }
        if parameters.wait {
            waiters.add(waiter, of: client)
        } else {
            waiter(RefreshResult(outcome: .started, generation: held?.generation))
        }
        settle()
        return true
    }

    /// A client was answered from an expired catalog, or without one, which may cause a fetch.
    func answered() {
        guard let fetch = schedule.answered(now: shared.effects.now()) else { return }
        begin(fetch)
        settle()
    }

    /// Calls back when the fetch that is under way or begins within a second has ended, or at once if there is none.
    func awaitFetch(for client: Int, _ completion: @escaping @Sendable () -> Void) {
        answered()
        if schedule.isFetchNear(now: shared.effects.now()) {
            waiters.add({ _ in completion() }, of: client)
        } else {
            completion()
        }
    }

    /// Removes the cached catalog from memory and disk; the sample stays.
    /// - Throws: `not-stored` if the file cannot be removed; then nothing changes.
    func clear() throws(RequestError) {
        // Even while the sample is served: an earlier configuration may have left files.
        try store.clear(cancelling: fetch?.intake)
        icons.clear()
        guard !assignment.isSample else { return changed() }
        let now = shared.effects.now()
        if fetch != nil {
            cancelFetch()
            schedule.cancelled(now: now)
        }
        held = bundled.load()
        schedule.serves(whatIsHeld, now: now)
        advance()
        // A client that waits gets the outcome of the fetch that follows, unless a pause comes before it.
        if let next = schedule.next, next.reason != .startup {
            let error = schedule.record.lastError
            answerWaiters(RefreshResult(outcome: .failed, generation: nil, error: error, retryAt: next.at))
        }
    }

    /// Checks the cache after a client's request: stores a catalog whose file was removed, and forgets icons whose files are gone.
    func checkFiles() {
        checkedAt = shared.effects.now()
        icons.checkFiles()
        if held?.isStored == true, !store.isThere, var again = held {
            _ = store.store(&again)
            held = again
        }
        changed()
    }

    // MARK: Other events

    func clockSet() {
        schedule.clockSet(now: shared.effects.now())
        advance()
    }

    func networkAppeared() {
        schedule.routeAppeared(now: shared.effects.now())
        settle()
    }

    func timerFired() {
        if timers != nil { advance() }
    }

    /// Begins a fetch that is due now, and then settles. Until the timer fires, a reply would say that no fetch is under way.
    func advance() {
        if let fetch = schedule.timerFired(now: shared.effects.now()) { begin(fetch) }
        settle()
    }

    /// Updates the icons, the timers, the schedule on disk and the snapshot.
    private func settle() {
        icons.serve(held?.catalog)
        setTimers()
        saveSchedule()
        changed()
    }

    func saveSchedule() {
        guard !assignment.isSample, let error = schedules.save(schedule.record) else { return }
        log(
            .scheduleNotStored, "The refresh schedule was not written, so a restart may forget the pause: \(error)",
            ["error": "storage"])
    }

    private func setTimers() {
        guard let timers else { return }
        let now = shared.effects.now()
        timers.refresh.set(to: schedule.next?.at, now: now)
        let expiry = held?.fetchedAt.map { $0 + assignment.policy.interval }
        timers.expiry.set(to: expiry.flatMap { now < $0 ? $0 : nil }, now: now)
    }

    func answerWaiters(_ result: RefreshResult?) {
        for waiter in waiters.takeAll() { waiter(result) }
    }

    /// A client that may wait has hung up.
    func forget(_ client: Int) {
        waiters.forget(client)
        icons.forget(client)
    }

    // MARK: The snapshot

    var snapshot: CatalogSnapshot {
        var snapshot = CatalogSnapshot(name: assignment.name, cachePath: store.path)
        snapshot.identity = assignment.digest
        snapshot.address = assignment.address?.requestText
        snapshot.served = held.map { CatalogSnapshot.Served($0) }
        snapshot.schedule = schedule
        snapshot.refresh = status
        schedule.report(to: &snapshot.refresh, now: shared.effects.now())
        snapshot.refresh.redirectedTo = held?.contents?.header.validators.address.flatMap(HTTPSURL.init)?.description
        snapshot.refresh.url = assignment.address?.description
        if assignment.url != nil { snapshot.refresh.proxy = (proxy ?? assignment.proxies.used(nil))?.status }
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.cache.error = store.problem ?? (held?.contents == nil ? bundled.problem : nil)
        snapshot.checkedAt = held?.contents == nil ? nil : checkedAt
        snapshot.icons = icons.snapshot
        return snapshot
    }
}
