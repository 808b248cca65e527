import Dispatch
import Logging
import PromoCore
import PromoFetch
import PromoWire

/// Keeps one catalog fresh: performs what its refresh machine decides. It belongs to the control plane and runs on its queue.
final class CatalogRefresher {
    typealias Machine = RefreshMachine<SystemRandomNumberGenerator>

    /// Runs a body with the refresher on the control plane's queue, unless the catalog is no longer kept.
    typealias Perform = @Sendable (_ body: @escaping @Sendable (CatalogRefresher) -> Void) -> Void

    /// What all refreshers share.
    struct Shared: Sendable {
        /// The control plane's queue.
        let queue: DispatchQueue
        let effects: ControlPlane.Effects
        let caches: CatalogCaches
        let signatures: SignatureStore
        let intakes = IntakeQueue()
        let naming = CatalogLog.Naming()
    }

    private enum Life {
        case waiting
        case running(refresh: RefreshTimer, expiry: RefreshTimer)
        case stopped
    }

    let icons: IconKeeper
    /// Distinguishes this refresher from a later one for a catalog of the same name.
    let number: Int
    let name: String
    let shared: Shared
    let origin: any Origin
    let log: CatalogLog
    let store: CatalogStore
    let perform: Perform
    /// Called when the timer of the refresh fires; leads to ``timerFired()``.
    private let due: @Sendable () -> Void
    /// Called after each event, because this catalog's snapshot may have changed.
    private let changed: () -> Void

    private var life = Life.waiting
    var assignment = Assignment(Configuration(), CatalogConfiguration(), isUnknown: false)
    var machine: Machine
    var served: ServedCatalog
    var schedules: ScheduleStore
    var fetch = ActiveFetch()
    /// The completions that wait for the fetch under way.
    private var waiters: [@Sendable (RefreshResult) -> Void] = []
    private(set) var clears = 0
    /// The proxy of the last fetch; nil if there was none.
    var proxy: UsedProxy?
    /// The part of the status that the machine does not know.
    var status = RefreshStatus()
    /// The offset of the clock when it was last read.
    private var clockOffset: Duration
    /// When the files of the catalog and its icons were last checked.
    private(set) var checkedAt: Timestamp

    /// A refresher that has not started.
    init(
        _ name: String, number: Int, _ shared: Shared, perform: @escaping Perform, due: @escaping @Sendable () -> Void,
        changed: @escaping () -> Void
    ) {
        let (directory, effects) = (shared.caches.cache(of: name), shared.effects)
        self.name = name
        self.number = number
        self.shared = shared
        self.perform = perform
        self.due = due
        self.changed = changed
        log = CatalogLog(logger: effects.logger, name: name, naming: shared.naming)
        origin = effects.origin.forAnotherCatalog()
        store = CatalogStore(directory: directory, signatures: shared.signatures, log: log)
        served = ServedCatalog(name, store: store, caches: shared.caches, signatures: shared.signatures)
        schedules = ScheduleStore(directory: directory)
        icons = IconKeeper(
            effects: effects, log: log, cache: directory, assignment: assignment, perform: perform, changed: changed)
        clockOffset = effects.clock.timeAndOffset().offset
        checkedAt = effects.clock.now()
        machine = Machine(
            policy: RefreshPolicy(), hasOrigin: false, fetchedAt: nil, schedule: RefreshSchedule(), now: checkedAt,
            generator: SystemRandomNumberGenerator())
    }

    var held: HeldCatalog? { served.held }

    // MARK: The clock

    /// The time of an event. If the clock was set since the last one, ``move(by:now:)`` is called first.
    func now() -> Timestamp {
        let (now, offset) = shared.effects.clock.timeAndOffset()
        if offset != clockOffset { move(by: offset - clockOffset, now: now) }
        return now
    }

    /// Moves every time that was taken from the clock by a step of it. A step never makes the catalog younger.
    /// - Parameter now: the time after the step.
    func move(by step: Duration, now: Timestamp) {
        clockOffset += step
        status.clockAhead = nil
        let isInStep = machine.fetchedAt == held?.fetchedAt
        machine.clockSet(by: step, now: now)
        schedules.clockSet(by: step)
        if isInStep, let time = machine.fetchedAt { served.fetched(at: time) }
    }

    func clockSet() {
        advance()
        if !assignment.isReading { served.storeAge() }
    }

    // MARK: Life

    /// Loads the catalog on disk and begins to keep it fresh.
    func start(_ assignment: Assignment) {
        let now = now()
        self.assignment = assignment
        icons.assign(assignment)
        icons.load()
        served.load(assignment, now: now)
        if !assignment.isReading {
            do { try schedules.load() } catch {
                log(.scheduleUnreadable, "The refresh schedule is forgotten: \(error)")
            }
        }
        machine = Machine(
            policy: assignment.policy, hasOrigin: assignment.origin != nil, fetchedAt: held?.fetchedAt,
            schedule: schedule(of: assignment), now: now,
            generator: SystemRandomNumberGenerator())
        life = .running(
            refresh: RefreshTimer(queue: shared.queue, handler: due),
            expiry: RefreshTimer(queue: shared.queue) { [perform] in perform { $0.expired() } })
        advance()
        reportSignature()
    }

    /// The catalog or its signature has expired.
    private func expired() {
        if case .running(_, let timer) = life { timer.fired() }
        settle()
        reportSignature()
    }

    func reportSignature() {
        let now = shared.effects.clock.now()
        if !assignment.isReading, let warning = snapshot.freshness(now: now).warning(now: now) {
            log(.signatureEnded, warning)
        }
    }

    /// Cancels a fetch under way, answers all waiting clients, and fetches no more.
    /// - Parameter reason: why it fetches no more, as a clause.
    func stop(because reason: String = "promod is stopping") {
        machine.stopped(now: now())
        if !assignment.isReading { served.storeAge() }
        endFetch()
        icons.stop()
        life = .stopped
        settle()
        answerWaiters(cancelled("\(reason), and the fetch was cancelled."))
    }

    /// Switches to another catalog, or to other settings for the same one.
    func assign(_ next: Assignment) {
        let now = now()
        let old = assignment
        let isSame = next.isSameCatalog(as: old)
        assignment = next
        proxy = nil
        icons.assign(next)
        if !isSame { endFetch() }
        served.change(from: old, to: next, now: now)
        if isSame {
            machine.configured(next.policy, fetchedAt: held?.fetchedAt, now: now)
        } else {
            machine.stopped(now: now)
            schedules.keep(machine.schedule, of: old.url?.normalized)
            machine.originChanged(
                next.policy, schedule: next.origin == nil ? nil : schedule(of: next),
                fetchedAt: held?.fetchedAt, now: now)
        }
        advance()
        if !isSame { answerWaiters(cancelled("The configuration changed, and the fetch was cancelled.")) }
    }

    /// The schedule of an assignment's origin, which goes with the address: another name may have asked it last.
    private func schedule(of assignment: Assignment) -> RefreshSchedule {
        if let url = assignment.origin, schedules.lastURL != url || shared.caches.isMarked(name),
            let found = shared.caches.schedule(of: url)
        {
            schedules.adopt(found)
        }
        return schedules.schedule(of: assignment)
    }

    /// Reads what the promod that keeps the cache has replaced.
    func follow() {
        icons.follow()
        guard !assignment.hasNoFile, store.hasChanged else { return }
        let now = now()
        served.load(assignment, now: now)
        machine.configured(assignment.policy, fetchedAt: held?.fetchedAt, now: now)
        settle()
    }

    // MARK: Requests

    /// Fetches now. The completion is called when the fetch has ended, or at once without a wait or without a fetch.
    /// - Returns: false if there is no origin to fetch from; then the completion is not called.
    func refresh(_ parameters: RefreshParameters, completion: @escaping @Sendable (RefreshResult) -> Void) -> Bool {
        switch machine.refreshRequested(now: now()) {
        case .refuse:
            return false
        case .throttle(let until):
            completion(RefreshResult(outcome: .throttled, generation: held?.generation, retryAt: until))
            return true
        case .join:
            break
        case .fetch(let id):
            beginFetch(id)
        }
        if parameters.accept { fetch.isAccepting = true }
        if parameters.wait {
            waiters.append(completion)
        } else {
            completion(RefreshResult(outcome: .started, generation: held?.generation))
        }
        advance()
        return true
    }

    /// Calls back when the fetch under way has ended, or at once if there is none.
    func awaitFetch(_ completion: @escaping @Sendable () -> Void) {
        if machine.isLoading { waiters.append { _ in completion() } } else { completion() }
    }

    /// Removes the cached catalog from memory and disk; the sample stays.
    /// - Throws: `not-stored` if the file cannot be removed; then nothing changes.
    func clear() throws(RequestError) {
        // Even while the sample is served: an earlier configuration may have left files.
        let isAgain = fetch.isClearing && machine.isLoading
        try store.clear(cancelling: isAgain ? nil : fetch.intake)
        clears += 1
        icons.clear()
        guard assignment.url != nil || held?.contents != nil else { return changed() }
        // The fetch under way is unconditional already. If each call cancelled it, a loop of calls could prevent every fetch.
        if isAgain { return }
        endFetch()
        fetch.isClearing = true
        machine.cleared(now: now())
        served.drop()
        advance()
        // A client that waits for a refresh gets the result of the fetch that follows, if one begins now.
        if !machine.isLoading {
            answerWaiters(RefreshResult(outcome: .throttled, generation: nil, retryAt: machine.next?.at))
        }
    }

    /// Checks the cache after a client's request: stores a catalog whose file was removed, and forgets icons whose files are gone.
    func checkFiles() {
        checkedAt = now()
        icons.checkFiles()
        served.restore()
        changed()
    }

    func networkAppeared() {
        machine.networkAppeared(now: now())
        advance()
    }

    func timerFired() {
        guard case .running(let timer, _) = life else { return }
        timer.fired()
        if let id = machine.timerFired(elapsed: timer.hasElapsed, now: now()) { beginFetch(id) }
        advance()
    }

    // MARK: After each event

    /// Begins a fetch that is due now, and then settles. Until the timer fires, a reply would say that no fetch is under way.
    func advance() {
        if let id = machine.timerFired(elapsed: false, now: now()) { beginFetch(id) }
        settle()
    }

    /// Updates the icons, the timers, the schedule on disk and the snapshot from the machine's state.
    private func settle() {
        icons.serve(held?.catalog)
        setTimers()
        saveSchedule()
        changed()
    }

    func saveSchedule() {
        guard !assignment.isReading else { return }
        schedules.keep(machine.schedule, of: assignment.url?.normalized)
        guard let error = schedules.save() else { return }
        log(
            .scheduleNotStored, "The refresh schedule was not written, so a restart may forget the backoff: \(error)",
            ["error": "storage"])
    }

    private func setTimers() {
        guard case .running(let refresh, let expiry) = life else { return }
        let now = now()
        refresh.set(to: machine.next?.at, now: now)
        let ends = [held?.fetchedAt.map { $0 + assignment.policy.interval }, held?.signature?.expiresAt]
        // The first end that has not passed.
        let end = ends.compactMap(\.self).filter { now < $0 }.min()
        expiry.set(to: end, now: now)
    }

    func answerWaiters(_ result: RefreshResult) {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter(result) }
    }

    private func cancelled(_ message: String) -> RefreshResult {
        RefreshResult(outcome: .failed, generation: held?.generation, error: Failure(.connect, message))
    }
}
