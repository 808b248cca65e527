import Dispatch
import PromoCore
import PromoWire

/// Keeps one catalog fresh: performs what its refresh machine decides. It belongs to the control plane and runs on its queue.
///
/// It owns a machine, two timers, a cache file and a schedule.
final class CatalogRefresher {
    typealias Machine = RefreshMachine<SystemRandomNumberGenerator>

    /// Runs a body with the refresher on the control plane's queue, unless the catalog is not kept any more.
    typealias Enter = @Sendable (_ body: @escaping @Sendable (CatalogRefresher) -> Void) -> Void

    /// Which catalog to keep fresh, and with which settings.
    struct Assignment: Sendable {
        /// Where the catalog comes from; not known while the configuration is broken.
        var source: CatalogConfiguration.Source
        /// Its address; nil if it has none.
        var url: HTTPSURL?
        var policy: RefreshPolicy
        var caFile: String?
        var maximumBytes: Int
        var timeout: Duration
        var proxies: Proxies
        var trust: CatalogTrust
        var holdsBack: Bool
        /// Whether the configuration is broken: the cached catalog is served whatever its URL, and nothing is fetched.
        var isUnknown: Bool
        /// Whether another promod keeps the cache: it is only read, and nothing is fetched.
        var isReading: Bool

        /// The assignment of one of the catalogs of a configuration.
        init(
            _ configuration: Configuration, _ catalog: CatalogConfiguration, isUnknown: Bool, isReading: Bool = false
        ) {
            source = catalog.source
            url = catalog.url
            policy = configuration.refresh
            caFile = catalog.caFile
            maximumBytes = catalog.maximumBytes
            timeout = configuration.timeout
            proxies = configuration.proxies
            trust = CatalogTrust(keys: catalog.publicKeys)
            holdsBack = catalog.holdsBack
            self.isUnknown = isUnknown
            self.isReading = isReading
        }

        /// Where this promod itself fetches the catalog from; nil if it does not.
        var origin: HTTPSURL? { isReading ? nil : url }

        /// How the catalog's icons are fetched.
        var icons: IconKeeper.Settings {
            IconKeeper.Settings(
                isOn: (origin != nil || isSample && !isReading) && !isUnknown, isSample: isSample, isReading: isReading,
                interval: policy.interval, caFile: caFile, timeout: timeout, proxies: proxies)
        }

        var isSample: Bool { source == .sample && !isUnknown }

        /// Whether there is no catalog to fetch or to read from the cache: the sample is served, or nothing.
        var hasNoFile: Bool { url == nil && !isUnknown }
    }

    private enum Life {
        case waiting
        case running(refresh: RefreshTimer, expiry: RefreshTimer)
        case stopped
    }

    /// The pictures of the catalog's apps.
    let icons: IconKeeper
    private let name: String
    /// Tells this refresher from one that keeps a catalog of this name later.
    let number: Int
    private let effects: ControlPlane.Effects
    private let origin: any Origin
    private let log: RefreshLog
    private let store: CatalogStore
    private let caches: CatalogCaches
    private let intakes: IntakeQueue
    private let signatures: SignatureStore
    private let queue: DispatchQueue
    private let enter: Enter
    /// The timer of the refresh has fired; leads to ``timerFired()``.
    private let due: @Sendable () -> Void
    /// The snapshot of this catalog may have changed.
    private let changed: () -> Void

    private var life = Life.waiting
    private var assignment = Assignment(Configuration(), CatalogConfiguration(), isUnknown: false)
    private var machine: Machine
    private var generations = Generations()
    private var schedules: ScheduleStore
    private var cancelFetch: (@Sendable () -> Void)?
    /// The proxy of the last fetch; nil if there was none.
    private var proxy: Proxies.Used?
    /// The intake of what the fetch under way has brought.
    private var intake: IntakeQueue.Token?
    /// How far this machine's clock is ahead of the origin's, or behind it if negative; nil if that is not known.
    private var clockAhead: Duration?
    /// How often the cache was cleared.
    private var clears = 0
    /// How many fetches have begun, and how many of them failed.
    private var (attempts, failures) = (0, 0)
    private var fetchBeganAt: Milliseconds?
    private var lastDuration: Duration?
    /// Whether a person accepts what the fetch under way brings.
    private var isAccepting = false
    /// Whether the fetch under way, or planned at once, is one that a `clear` asked for.
    private var isClearing = false
    private var refreshWaiters: [@Sendable (Command.Reply) -> Void] = []
    private var fetchWaiters: [@Sendable () -> Void] = []
    /// The step of the clock that was the latest when the clock was last read.
    private var clockOffset: Duration
    /// When the files of the catalog and its pictures were found to be there.
    private var checkedAt: Timestamp
    /// Whether the catalog is one that another name has on disk, and this one has not yet.
    private var isCopyDue = false
    /// When the catalog was fetched by its file, which is written again only if a step of the clock made the catalog older.
    private var fetchedAtOnDisk: Timestamp?

    /// A refresher that has not started.
    /// - Parameters:
    ///   - due: called when the timer of the refresh has fired, on the queue.
    ///   - changed: called after each event, because the snapshot of this catalog may have changed.
    init(
        _ name: String, number: Int, queue: DispatchQueue, effects: ControlPlane.Effects, naming: CatalogLog.Naming,
        caches: CatalogCaches, intakes: IntakeQueue, signatures: SignatureStore, enter: @escaping Enter,
        due: @escaping @Sendable () -> Void, changed: @escaping () -> Void
    ) {
        let directory = caches.cache(of: name)
        self.caches = caches
        self.intakes = intakes
        self.name = name
        self.number = number
        self.queue = queue
        self.effects = effects
        origin = effects.origin.forAnotherCatalog()
        self.enter = enter
        self.due = due
        self.changed = changed
        let log = CatalogLog(logger: effects.logger, name: name, naming: naming)
        self.log = RefreshLog(log: log)
        self.signatures = signatures
        store = CatalogStore(directory: directory, signatures: signatures, log: log)
        icons = IconKeeper(
            effects: effects, log: log, cache: directory, settings: assignment.icons,
            enter: { body in enter { body($0.icons) } }, changed: changed)
        schedules = ScheduleStore(directory: directory)
        clockOffset = effects.clock.timeAndOffset().offset
        checkedAt = effects.clock.now()
        machine = Machine(
            policy: RefreshPolicy(), hasOrigin: false, fetchedAt: nil, schedule: RefreshSchedule(),
            now: effects.clock.now(),
            generator: SystemRandomNumberGenerator())
    }

    /// The state of this catalog, for publication.
    var snapshot: CatalogSnapshot {
        let now = effects.clock.now()
        func ifAhead(_ time: Timestamp?) -> Timestamp? { time.flatMap { $0 > now ? $0 : nil } }
        var snapshot = CatalogSnapshot(name: name, cachePath: store.path)
        let last = assignment.isUnknown ? schedules.lastURL : nil
        let address = assignment.url ?? (held?.contents?.header.url).flatMap(HTTPSURL.init) ?? last
        snapshot.identity = address?.requestText ?? name
        snapshot.isUnknown = assignment.isUnknown && address == nil
        snapshot.served = held.map { CatalogSnapshot.Served($0) }
        snapshot.isUnconfigured = assignment.hasNoFile && !assignment.isSample
        snapshot.policy = assignment.policy
        snapshot.refresh.url = assignment.url?.description
        snapshot.refresh.redirectedTo = held?.contents?.header.validators.address.flatMap(HTTPSURL.init)?.description
        snapshot.refresh.proxy = (assignment.url == nil ? nil : proxy ?? assignment.proxies.used(nil))?.status
        snapshot.refresh.activity = machine.isLoading ? .loading : .idle
        snapshot.refresh.nextAt = machine.next?.at
        snapshot.refresh.reason = machine.next?.reason ?? .none
        snapshot.refresh.retryAfter = ifAhead(machine.schedule.retryAfter)
        snapshot.refresh.spread = assignment.url == nil ? nil : assignment.policy.usableSpread
        snapshot.refresh.attempt = machine.schedule.attempt
        snapshot.refresh.gone = machine.schedule.gone
        snapshot.refresh.attempts = attempts
        snapshot.refresh.failures = failures
        snapshot.refresh.lastAttemptAt = machine.schedule.lastAttemptAt
        snapshot.refresh.lastDuration = lastDuration
        snapshot.refresh.lastOutcome = machine.schedule.lastOutcome
        snapshot.refresh.lastError = machine.schedule.lastError
        snapshot.refresh.clockAhead = clockAhead
        snapshot.refresh.heldBack = machine.schedule.heldBack?.status
        snapshot.refresh.refusedUntil = ifAhead(machine.refusedUntil(now: now))
        snapshot.retryAfter = snapshot.refresh.refusedUntil
        snapshot.departed = assignment.hasNoFile ? [:] : generations.departed
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.cache.error = store.problem ?? (assignment.trust == .anyone ? nil : signatures.problem)
        snapshot.checkedAt = held?.contents == nil || assignment.isReading ? nil : checkedAt
        snapshot.icons = icons.snapshot
        return snapshot
    }

    private var held: HeldCatalog? { generations.current }

    private func serve(_ next: HeldCatalog?) {
        if let next, !assignment.isReading { signatures.accept(next, now: effects.clock.now()) }
        fetchedAtOnDisk = next?.fetchedAt
        generations.serve(next)
        icons.serve(next?.catalog)
    }

    // MARK: The clock

    /// The time of an event. If the clock was set since the last one, everything that was timed by it moves before.
    private func now() -> Timestamp {
        let (now, offset) = effects.clock.timeAndOffset()
        if offset != clockOffset { move(by: offset - clockOffset, now: now) }
        return now
    }

    /// Moves everything that was timed by the clock by a step that it is about to follow.
    func move(by step: Duration) {
        move(by: step, now: effects.clock.now() + step)
    }

    private func move(by step: Duration, now: Timestamp) {
        clockOffset += step
        clockAhead = nil
        let isInStep = machine.fetchedAt == held?.fetchedAt
        machine.clockSet(by: step, now: now)
        schedules.clockSet(by: step)
        guard isInStep, let time = machine.fetchedAt, var held else { return }
        held.contents?.header.fetchedAt = time
        generations.serve(held)
    }

    /// The clock was set.
    func clockSet() {
        _ = now()
        advance()
        storeAge()
    }

    /// Stores the catalog again if it is younger by its file, since it would be so after a restart.
    private func storeAge() {
        guard !assignment.isReading, let stored = fetchedAtOnDisk, var held, let time = held.fetchedAt, time < stored
        else { return }
        if store.store(&held) == nil { fetchedAtOnDisk = time }
        generations.serve(held)
    }

    // MARK: Life

    /// Loads the catalog on disk, if it may, and begins to keep it fresh.
    func start(_ assignment: Assignment, loadsCache: Bool) {
        let now = now()
        self.assignment = assignment
        icons.start(assignment.icons)
        if loadsCache || assignment.hasNoFile { serve(loadHeld()) } else { store.skip() }
        if !assignment.isReading, let problem = schedules.load() { log.scheduleForgotten(problem) }
        machine = Machine(
            policy: assignment.policy, hasOrigin: assignment.origin != nil, fetchedAt: held?.fetchedAt,
            schedule: schedule(of: assignment), now: now,
            generator: SystemRandomNumberGenerator())
        life = .running(
            refresh: RefreshTimer(queue: queue, handler: due),
            expiry: RefreshTimer(queue: queue) { [enter] in enter { $0.expired() } })
        advance()
        reportSignature()
    }

    /// The catalog or its signature has expired.
    private func expired() {
        if case .running(_, let timer) = life { timer.fired() }
        settle()
        reportSignature()
    }

    private func reportSignature() {
        let now = effects.clock.now()
        if !assignment.isReading, let warning = snapshot.freshness(now: now).warning(now: now) {
            log.signatureEnded(warning)
        }
    }

    /// Cancels a fetch under way, answers all waiting clients, and fetches no more.
    /// - Parameter reason: why it fetches no more, as a clause.
    func stop(because reason: String = "promod is stopping") {
        machine.stopped(now: now())
        storeAge()
        endFetch()
        icons.stop()
        life = .stopped
        settle()
        answerWaiters(failed("\(reason), and the fetch was cancelled."))
    }

    /// Switches to another catalog, or to other settings for the same one.
    func assign(_ next: Assignment) {
        let now = now()
        let old = assignment.url?.normalized
        let url = next.url?.normalized
        let isSame =
            url == old && next.isSample == assignment.isSample && next.isUnknown == assignment.isUnknown
        let isTrustSame = assignment.trust == next.trust
        assignment = next
        proxy = nil
        icons.assign(next.icons)
        if !isSame { endFetch() }
        if !isTrustSame, let trusted { serve(trusted) }
        // A daemon that started with a broken configuration, and so without a URL, may already serve this URL's catalog.
        if held == nil || !isTrustSame && trusted == nil
            || !isSame && (url == nil || url != held?.contents?.header.url)
        {
            serve(loadHeld())
        }
        if isSame {
            machine.configured(next.policy, fetchedAt: held?.fetchedAt, now: now)
        } else {
            machine.stopped(now: now)
            schedules.keep(machine.schedule, of: old)
            machine.originChanged(
                next.policy, schedule: next.origin == nil ? nil : schedule(of: next),
                fetchedAt: held?.fetchedAt, now: now)
        }
        advance()
        if !isSame { answerWaiters(failed("The configuration changed, and the fetch was cancelled.")) }
    }

    /// The plan for the origin of an assignment, which goes with the address: another name may have asked it last.
    private func schedule(of assignment: Assignment) -> RefreshSchedule {
        if let url = assignment.origin, schedules.lastURL != url || caches.isMarked(name),
            let found = caches.schedule(of: url)
        {
            schedules.adopt(found)
        }
        return schedules.schedule(of: assignment)
    }

    /// Reads again what the promod that keeps the cache has replaced.
    func follow() {
        icons.follow()
        guard !assignment.hasNoFile, store.hasChanged else { return }
        serve(loadHeld())
        machine.configured(assignment.policy, fetchedAt: held?.fetchedAt, now: now())
        settle()
    }

    /// Loads the catalog on disk if none is held.
    func loadAgain() {
        if held == nil { assign(assignment) }
    }

    /// The catalog that can be served without a fetch: the sample if it is asked for, else the cached catalog of the URL.
    private func loadHeld() -> HeldCatalog? {
        guard !assignment.hasNoFile else { return assignment.isSample ? .sample() : nil }
        let (now, isReading) = (effects.clock.now(), assignment.isReading)
        let held = store.load(url: assignment.url, trust: assignment.trust, now: now, isReading: isReading)
        guard held == nil, store.problem == nil, let url = assignment.url,
            let contents = caches.catalog(of: url, besides: name)
        else { return held }
        isCopyDue = !isReading
        return store.takeOver(contents, trust: assignment.trust, now: now)
    }

    /// Stores a catalog that was taken over from another name.
    func storeCopy() {
        guard isCopyDue, var held else { return isCopyDue = false }
        isCopyDue = false
        _ = store.store(&held)
        generations.serve(held)
    }

    /// The catalog that is held if it counts with the keys in force, with its signature by one of them.
    private var trusted: HeldCatalog? {
        let now = effects.clock.now()
        guard let trusted = held?.trusted(by: assignment.trust),
            signatures.book(for: assignment.trust, now: now)
                .refusal(of: trusted, trust: assignment.trust, now: now) == nil
        else { return nil }
        return trusted
    }

    // MARK: Requests

    /// Fetches now. The completion is called when the fetch has ended; at once if no wait is asked for or there is no fetch.
    /// - Parameter noOrigin: the error if no URL is configured.
    func refresh(
        _ parameters: RefreshParameters, noOrigin: RequestError,
        completion: @escaping Command.Completion
    ) {
        switch machine.refreshRequested(now: now()) {
        case .refuse:
            return completion(.refused(noOrigin))
        case .throttle(let until):
            let result = RefreshResult(outcome: .throttled, generation: held?.generation, retryAt: until)
            return completion(.result(result))
        case .join:
            break
        case .fetch(let id):
            fetch(id)
        }
        if parameters.accept { isAccepting = true }
        if parameters.wait {
            refreshWaiters.append(completion)
        } else {
            completion(.result(RefreshResult(outcome: .started, generation: held?.generation)))
        }
        advance()
    }

    /// Calls back when the fetch under way has ended, or at once if there is none.
    func awaitFetch(_ completion: @escaping @Sendable () -> Void) {
        if machine.isLoading { fetchWaiters.append(completion) } else { completion() }
    }

    /// Removes the cached catalog from memory and disk; the sample stays.
    /// - Throws: `not-stored` if the file cannot be removed; then nothing changes.
    func clear() throws(RequestError) {
        // Even while the sample is served: an earlier configuration may have left files.
        let isAgain = isClearing && machine.isLoading
        try store.clear(cancelling: isAgain ? nil : intake)
        clears += 1
        icons.clear()
        guard assignment.url != nil || held?.contents != nil else { return changed() }
        // That fetch is unconditional already. If each call cancelled it, a sequence of them could prevent every fetch.
        if isAgain { return }
        endFetch()
        isClearing = true
        machine.cleared(now: now())
        serve(nil)
        advance()
        // A client that waits for a refresh gets the result of the fetch that follows, if one begins now.
        if !machine.isLoading {
            answerWaiters(RefreshResult(outcome: .throttled, generation: nil, retryAt: machine.next?.at))
        }
    }

    /// A client has asked, so that files of the cache that somebody removed are missed: the catalog is stored again, and pictures whose
    /// files are gone are forgotten.
    func checkFiles() {
        checkedAt = now()
        icons.checkFiles()
        if var held, held.isStored, !store.isThere {
            if store.store(&held) == nil { fetchedAtOnDisk = held.fetchedAt }
            generations.serve(held)
        }
        changed()
    }

    /// A client has asked for pictures.
    func iconsAsked() {
        icons.asked()
    }

    /// Calls back when the pictures that are missing or old have been fetched, or at once if there are none.
    func awaitIcons(_ completion: @escaping @Sendable () -> Void) {
        if snapshot.isCheckDue(now: now()) { checkFiles() }
        icons.await(completion)
    }

    /// The picture of an app.
    func icon(of app: String) -> IconReply {
        icons.icon(of: app)
    }

    /// A default route appeared.
    func networkAppeared() {
        machine.networkAppeared(now: now())
        advance()
    }

    // MARK: Fetching

    /// The time of the planned refresh has come.
    func timerFired() {
        guard case .running(let timer, _) = life else { return }
        timer.fired()
        perform(machine.timerFired(elapsed: timer.hasElapsed, now: now()))
        advance()
    }

    private func perform(_ action: Machine.Action) {
        if case .fetch(let id) = action { fetch(id) }
    }

    private func fetch(_ id: Machine.FetchID) {
        guard let url = assignment.url else { return }
        let request = OriginRequest(
            url: url, validators: held?.contents?.header.validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: assignment.maximumBytes, timeout: assignment.timeout, proxies: assignment.proxies,
            isSecondLook: machine.schedule.heldBack != nil)
        // Before the origin is asked, so that no crash forgets the attempt.
        saveSchedule()
        attempts += 1
        fetchBeganAt = effects.uptime()
        log.fetchStarted(url)
        cancelFetch = origin.fetch(request) { [enter] reply, proxy in
            enter { refresher in
                refresher.proxy = proxy
                let age = refresher.takeAge(of: reply, id)
                refresher.read(reply, age, from: url, id)
            }
        }
    }

    private func endFetch() {
        cancelFetch?()
        cancelFetch = nil
        intake?.cancel()
        intake = nil
        isAccepting = false
        isClearing = false
    }

    /// What the verdict on a reply depends on.
    private struct Basis: Equatable {
        let generation: String?
        let trust: CatalogTrust
        let holdsBack: Bool
    }

    private var basis: Basis {
        Basis(
            generation: held?.generation, trust: assignment.trust, holdsBack: assignment.holdsBack && !isAccepting)
    }

    /// How old a reply is, by what it says and what the one before said; what it tells of the clock is kept.
    private func takeAge(of reply: OriginReply, _ id: Machine.FetchID) -> Duration {
        guard machine.fetching == id, let age = reply.age else { return .zero }
        let verdict = age.verdict(now: now(), before: machine.schedule.clock)
        machine.originDated(verdict.clock)
        clockAhead = verdict.isCertain ? verdict.clock?.ahead : nil
        return verdict.age
    }

    /// Has a reply read on the queue of intakes.
    private func read(_ reply: OriginReply, _ age: Duration, from url: HTTPSURL, _ id: Machine.FetchID) {
        guard machine.fetching == id else { return }
        let (basis, clears) = (basis, clears)
        let rule = HoldBackRule(
            isOn: basis.holdsBack, before: machine.schedule.heldBack, wait: assignment.policy.secondLook)
        let job = IntakeQueue.Job(
            reply: reply, age: age, url: url, generations: generations, trust: basis.trust, signatures: signatures,
            rule: rule,
            now: now(), store: store)
        intake = intakes.submit(job) { [enter] outcome in
            enter { refresher in
                // What the reply was judged by has changed.
                guard basis == refresher.basis else { return refresher.read(reply, age, from: url, id) }
                refresher.fetchEnded(id, reply, outcome, isCleared: clears != refresher.clears)
            }
        }
    }

    /// - Parameter isCleared: whether the file may have been removed after it was stored.
    private func fetchEnded(
        _ id: Machine.FetchID, _ reply: OriginReply, _ outcome: IntakeQueue.Outcome, isCleared: Bool
    ) {
        let now = now()
        let end = outcome.intake.end(of: reply, isOnline: effects.isOnline, now: now)
        guard machine.fetchEnded(id, end, now: now) else { return }
        cancelFetch = nil
        lastDuration = fetchBeganAt.map { .milliseconds(effects.uptime() - $0) }
        intake = nil
        isAccepting = false
        isClearing = false
        var result = take(outcome, isCleared: isCleared, now: now)
        if result.outcome == .failed { failures += 1 }
        result.redirectedTo = reply.address.flatMap(HTTPSURL.init)?.description
        result.generation = held?.generation
        advance()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.count, attempt: machine.schedule.attempt,
            next: machine.next?.at)
        if result.outcome == .updated { reportLinks() }
        if outcome.intake.accepted != nil { reportSignature() }
        answerWaiters(result)
    }

    private func reportLinks() {
        if let count = held?.catalog.malformedLinks, count > 0 { log.linksIgnored(count) }
    }

    /// Serves an accepted catalog.
    private func take(_ outcome: IntakeQueue.Outcome, isCleared: Bool, now: Timestamp) -> RefreshResult {
        var failure = outcome.storeFailure
        if outcome.intake.accepted != nil, var next = outcome.generations.current {
            if isCleared { failure = store.store(&next) }
            fetchedAtOnDisk = next.fetchedAt
            // The clock may have been set meanwhile.
            next.contents?.header.fetchedAt = now
            generations = outcome.generations
            generations.serve(next)
            icons.serve(next.catalog)
        }
        switch outcome.intake {
        case .updated: return RefreshResult(outcome: .updated, generation: nil, error: failure)
        case .unchanged: return RefreshResult(outcome: .unchanged, generation: nil, error: failure)
        case .heldBack(_, let failure):
            return RefreshResult(outcome: .heldBack, generation: nil, error: failure, retryAt: machine.next?.at)
        case .failed(let failure):
            return RefreshResult(outcome: .failed, generation: nil, error: failure, retryAt: machine.next?.at)
        }
    }

    private func failed(_ message: String) -> RefreshResult {
        RefreshResult(outcome: .failed, generation: held?.generation, error: Failure(.connect, message))
    }

    private func answerWaiters(_ result: RefreshResult) {
        let (refreshWaiters, fetchWaiters) = (refreshWaiters, fetchWaiters)
        self.refreshWaiters = []
        self.fetchWaiters = []
        for waiter in refreshWaiters { waiter(.result(result)) }
        for waiter in fetchWaiters { waiter() }
    }

    // MARK: After each event

    /// Begins a fetch that is due now instead of leaving it to the timer: a request answered in between would say that no fetch
    /// is under way. Then brings everything else in line.
    private func advance() {
        perform(machine.timerFired(elapsed: false, now: now()))
        settle()
    }

    /// Brings timers, disk and publication in line with what the machine decided.
    private func settle() {
        setTimers()
        saveSchedule()
        changed()
    }

    private func saveSchedule() {
        guard !assignment.isReading else { return }
        schedules.keep(machine.schedule, of: assignment.url?.normalized)
        if let error = schedules.save() { log.scheduleNotStored(error) }
    }

    private func setTimers() {
        guard case .running(let refresh, let expiry) = life else { return }
        let now = now()
        refresh.set(to: machine.next?.at, now: now)
        let ends = [held?.fetchedAt.map { $0 + assignment.policy.interval }, held?.signature?.expiresAt]
        // The first that has not passed.
        let end = ends.compactMap(\.self).filter { now < $0 }.min()
        expiry.set(to: end, now: now)
    }
}
