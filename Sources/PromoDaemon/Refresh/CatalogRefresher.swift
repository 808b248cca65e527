import Dispatch
import Logging
import PromoCore
import PromoWire

/// Keeps one catalog fresh: performs what its schedule decides. It belongs to the loop's thread.
final class CatalogRefresher {
    /// Runs a body with the refresher in the loop, unless the catalog is no longer kept.
    typealias Perform = @Sendable (_ body: @escaping @Sendable (CatalogRefresher) -> Void) -> Void

    /// Takes the outcome of a fetch; nil if it was cancelled, so that the request means what is kept now.
    typealias Waiter = (RefreshResult?) -> Void

    let icons: IconKeeper
    /// Distinguishes this refresher from a later one for the same catalog, whose files were gone meanwhile.
    let number: Int
    unowned let keeper: Keeper
    let origin: any Origin
    private(set) var log: CatalogLog
    let store: CatalogStore
    /// Why the catalog on disk is not served, or why the one that is served is not on disk; nil if neither is the case.
    private var storageProblem: Failure?
    /// Whether it was logged that the filesystem confirms no write.
    private var isMissingSyncReported = false
    let perform: Perform

    /// The timers of the next refresh and of the catalog's expiry; nil before the start and after the end.
    private var timers: (refresh: WallTimer, expiry: WallTimer)?
    private(set) var assignment: Assignment
    /// The catalog that is served; nil if there is none.
    var held: HeldCatalog?
    var schedule: RefreshSchedule
    private let scheduleFile: StoredFile<RefreshSchedule.Record>
    /// The record in the file, or on its way there; nil if the disk has refused the last one.
    private var saved: RefreshSchedule.Record?
    /// The last refusal, which is logged once.
    private var refusal: SystemError?
    /// The catalog that a package brings.
    private(set) var bundled: BundledCatalog
    /// Cancels the request that the origin is preparing or sending.
    var cancelRequest: @Sendable () -> Void = {}
    /// The number of the last fetch; what a cancelled one brings is dropped.
    var fetches = 0
    /// The requests that wait for the fetch under way, by their clients.
    private(set) var waiters: [Int: Waiter] = [:]
    /// How many attempts have begun since the start.
    var attempts = 0

    /// A refresher that has not started.
    init(number: Int, _ assignment: Assignment, _ loaded: LoadedCatalog, _ keeper: Keeper) {
        (self.number, self.assignment, self.keeper) = (number, assignment, keeper)
        perform = { [inbox = keeper.inbox, digest = assignment.digest] body in
            inbox.submit {
                if let refresher = $0.catalogs.refreshers[digest], refresher.number == number { body(refresher) }
            }
        }
        (log, store, bundled, held) = (loaded.log, loaded.store, loaded.bundled, loaded.held)
        storageProblem = loaded.findings.problem
        (scheduleFile, saved) = (loaded.scheduleFile, loaded.record)
        origin = keeper.effects.origin.forAnotherCatalog()
        icons = IconKeeper(keeper, loaded, assignment, perform)
        schedule = RefreshSchedule(
            loaded.record, policy: assignment.policy, hasOrigin: assignment.url != nil,
            held: Self.state(of: loaded.held), now: keeper.effects.now())
        // Until the keeper knows which ones do.
        if assignment.isOfApp { schedule.rest(true, now: keeper.effects.now()) }
    }

    // MARK: Life

    /// Begins to keep the catalog fresh.
    func start() {
        timers = (
            // A look at the drop-ins comes before a planned refresh.
            WallTimer(
                queue: keeper.events,
                handler: keeper.callback { [perform] in $0.catalogs.read(then: { _ in perform { $0.timerFired() } }) }),
            WallTimer(queue: keeper.events) { [perform] in perform { $0.settle() } }
        )
        advance()
    }

    private static func state(of held: HeldCatalog?) -> RefreshSchedule.Held {
        held?.fetchedAt.map { .fetched($0) } ?? (held == nil ? .nothing : .bundled)
    }

    /// Cancels a fetch under way, and begins no other.
    func stop() {
        cancelFetch()
        saveSchedule()
        icons.stop()
        timers = nil
    }

    /// Takes other names or settings for the same catalog. A fetch under way goes on if they would not change it.
    func assign(_ next: Assignment) {
        let last = assignment
        assignment = next
        log = CatalogLog(logger: log.logger, name: next.name, isOneOfSeveral: next.isOneOfSeveral)
        let (isOther, now) = (!next.isSameRequest(as: last), keeper.effects.now())
        if isOther { cancelFetch() }
        icons.assign(next, log)
        schedule.configured(next.policy, hasOrigin: next.url != nil, now: now)
        // A file that the request needs, such as ca-file, may be repaired.
        if isOther || schedule.record.lastError?.code == .configuration { schedule.requestChanged(now: now) }
        advance()
    }

    /// Whether the catalog that a package brings is served, or would be.
    var isBundledServed: Bool { held == nil || held?.source == bundled.source }

    /// Serves the catalog that a package brings. A bad file does not end one that is served.
    func serve(_ bundled: BundledCatalog, _ found: HeldCatalog?) {
        self.bundled = bundled
        guard isBundledServed else { return }
        if found != nil || bundled.problem == nil { held = found }
        schedule.serves(Self.state(of: held), now: keeper.effects.now())
        advance()
    }

    // MARK: Requests

    /// Fetches now. The waiter is called when the fetch has ended, or at once without a wait or without a fetch.
    /// - Returns: false if there is no origin to fetch from; then the waiter is not called.
    func refresh(_ parameters: RefreshParameters, for client: Int, _ waiter: @escaping Waiter) -> Bool {
        switch schedule.refreshRequested(now: keeper.effects.now()) {
        case .refuse:
            return false
        case .deferred(let time):
            let error = schedule.record.lastError ?? storageProblem.map { Failure(.storage, $0.message) }
            waiter(RefreshResult(outcome: .deferred, generation: held?.generation, error: error, retryAt: time))
            return true
        case .join:
            break
        case .fetch(let fetch):
            begin(fetch)
        }
        if parameters.wait {
            waiters[client] = waiter
        } else {
            waiter(RefreshResult(outcome: .started, generation: held?.generation))
        }
        settle()
        return true
    }

    /// A client was answered from an expired catalog, or without one, which may cause a fetch.
    func answered() {
        let (before, now) = (schedule.record.askedAt, keeper.effects.now())
        if assignment.isOfApp { schedule.asked(now: now) }
        if schedule.record.askedAt != before { keeper.catalogs.rest() }
        let fetch = schedule.answered(now: now)
        if let fetch { begin(fetch) }
        if fetch != nil || schedule.record.askedAt != before { settle() }
    }

    /// Lets the schedule rest, or wakes it.
    func rest(_ isResting: Bool) {
        guard schedule.isResting != isResting else { return }
        schedule.rest(isResting, now: keeper.effects.now())
        settle()
    }

    /// Waits for the end of the fetch that is under way or begins within a second.
    /// - Returns: false if there is none; then the waiter is not called.
    func awaitFetch(for client: Int, _ waiter: @escaping Waiter) -> Bool {
        answered()
        guard schedule.isFetchNear(now: keeper.effects.now()) else { return false }
        waiters[client] = waiter
        return true
    }

    /// Removes the cached catalog from disk, and then from memory; the sample stays.
    /// - Parameter done: called in every case, with the refusal if the file cannot be removed; then nothing changes.
    func clear(_ done: @escaping @Sendable (RequestError?) -> Void) {
        keeper.intake.async { [store, log, perform, bundled] in
            var bundled = bundled
            do throws(RequestError) {
                // Even while the sample is served: an earlier configuration may have left files.
                let findings = try store.clear(log)
                let found = bundled.load(log)
                perform { [bundled] in $0.cleared(findings, bundled, found) }
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    private func cleared(_ findings: CatalogStore.Findings, _ bundled: BundledCatalog, _ found: HeldCatalog?) {
        take(findings)
        icons.clear()
        self.bundled = bundled
        guard !assignment.isSample else { return keeper.publish() }
        // What the intake was given meanwhile may store a catalog after the file was removed.
        keeper.intake.async { [store] in store.remove() }
        cancelFetch()
        held = found
        schedule.serves(Self.state(of: held), now: keeper.effects.now())
        advance()
    }

    /// Takes what a job on the catalog's file has found.
    func take(_ findings: CatalogStore.Findings) {
        storageProblem = findings.problem
        guard let error = findings.notDurable, !isMissingSyncReported else { return }
        isMissingSyncReported = true
        log(
            .notDurable, "The catalog was written or removed, but a power cut may undo that: \(error)",
            ["error": "storage"])
    }

    // MARK: Other events

    func clockSet() {
        schedule.clockSet(now: keeper.effects.now())
        advance()
    }

    func networkAppeared() {
        schedule.routeAppeared(now: keeper.effects.now())
        icons.networkAppeared()
        settle()
    }

    func timerFired() {
        if timers != nil { advance() }
    }

    /// Begins a fetch that is due now, and then settles. Until the timer fires, a reply would say that no fetch is under way.
    func advance() {
        if let fetch = schedule.timerFired(now: keeper.effects.now()) { begin(fetch) }
        settle()
    }

    /// Updates the icons, the timers, the schedule on disk and the snapshot.
    private func settle() {
        icons.serve(held?.catalog)
        setTimers()
        saveSchedule()
        keeper.publish()
    }

    /// Stores the record of the schedule if it has changed, and then calls back.
    func saveSchedule(_ done: @escaping @Sendable (CatalogRefresher) -> Void = { _ in }) {
        let record = schedule.record
        guard !assignment.isSample, record != saved else { return done(self) }
        saved = record
        keeper.disk.async { [scheduleFile, perform] in
            var refusal: SystemError?
            do throws(SystemError) { try scheduleFile.replace(with: record) } catch { refusal = error }
            perform { [refusal] refresher in
                refresher.note(refusal)
                done(refresher)
            }
        }
    }

    private func note(_ refusal: SystemError?) {
        if refusal != nil { saved = nil }
        if let refusal, refusal != self.refusal {
            log(
                .scheduleNotStored,
                "The refresh schedule was not written, so a restart may forget the pause: \(refusal)",
                ["error": "storage"])
        }
        self.refusal = refusal
    }

    private func setTimers() {
        guard let timers else { return }
        let now = keeper.effects.now()
        timers.refresh.set(to: schedule.next?.at, now: now)
        let expiry = held?.fetchedAt.map { $0 + assignment.policy.interval }
        timers.expiry.set(to: expiry.flatMap { now < $0 ? $0 : nil }, now: now)
    }

    func answerWaiters(_ result: RefreshResult?) {
        let ended = waiters
        waiters = [:]
        for waiter in ended.values { waiter(result) }
    }

    /// A client that may wait has hung up.
    func forget(_ client: Int) {
        waiters[client] = nil
        icons.forget(client)
    }

    // MARK: The snapshot

    var snapshot: CatalogSnapshot {
        var snapshot = CatalogSnapshot(name: assignment.name)
        snapshot.identity = assignment.digest
        snapshot.address = assignment.address?.requestText
        snapshot.served = held
        snapshot.schedule = schedule
        snapshot.hasProxy = assignment.url != nil && assignment.proxies.isAny
        (snapshot.url, snapshot.attempts) = (assignment.address?.description, attempts)
        (snapshot.cachePath, snapshot.storage) = (store.path, storageProblem?.message.sentence)
        snapshot.bundledProblem = held?.contents == nil ? bundled.problem : nil
        snapshot.icons = icons.snapshot
        return snapshot
    }
}
