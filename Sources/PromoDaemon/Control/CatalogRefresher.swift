import Dispatch
import PromoCore
import PromoWire

/// Keeps one catalog fresh: performs what its refresh machine decides, on the control plane's queue.
///
/// It owns a machine, two timers, a cache file and a schedule. Refreshers share nothing but the queue.
actor CatalogRefresher {
    typealias Machine = RefreshMachine<SystemRandomNumberGenerator>

    /// Which catalog to keep fresh, and with which settings.
    struct Assignment: Sendable {
        /// Where the catalog comes from; nil serves the sample.
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

        init(_ configuration: Configuration, isUnknown: Bool) {
            url = configuration.catalogURL
            policy = configuration.refresh
            caFile = configuration.caFile
            maximumBytes = configuration.maximumBytes
            timeout = configuration.timeout
            proxies = configuration.proxies
            trust = CatalogTrust(keys: configuration.publicKeys)
            holdsBack = configuration.holdsBack
            self.isUnknown = isUnknown
        }

        /// The proxy for the catalog's own URL.
        var proxy: Proxies.Used? { url.flatMap { try? proxies.proxy(for: $0) } }
    }

    private enum Life {
        case waiting
        case running(refresh: RefreshTimer, expiry: RefreshTimer)
        case stopped
    }

    nonisolated private let executor: QueueExecutor
    /// The actor holds the executor for as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let effects: ControlPlane.Effects
    private let log: RefreshLog
    private let store: CatalogStore
    /// Called after each event, because the snapshot of this catalog may have changed.
    private let changed: @Sendable () -> Void

    private var life = Life.waiting
    private var assignment = Assignment(Configuration(), isUnknown: false)
    private var machine: Machine
    private var generations = Generations()
    private var schedules: ScheduleStore
    private var cancelFetch: (@Sendable () -> Void)?
    /// Whether a person accepts what the fetch under way brings.
    private var isAccepting = false
    private var refreshWaiters: [@Sendable (Command.Reply) -> Void] = []
    private var fetchWaiters: [@Sendable () -> Void] = []

    /// A refresher that has not started.
    init(
        executor: QueueExecutor, effects: ControlPlane.Effects, directory: PrivateDirectory,
        changed: @escaping @Sendable () -> Void
    ) {
        self.executor = executor
        self.effects = effects
        self.changed = changed
        log = RefreshLog(logger: effects.logger)
        store = CatalogStore(directory: directory, logger: effects.logger)
        schedules = ScheduleStore(directory: directory)
        machine = Machine(
            policy: RefreshPolicy(), hasOrigin: false, fetchedAt: nil, schedule: RefreshSchedule(), now: effects.now(),
            generator: SystemRandomNumberGenerator())
    }

    /// The state of this catalog, for publication.
    var snapshot: CatalogSnapshot {
        var snapshot = CatalogSnapshot(cachePath: store.path)
        snapshot.served = held.map { CatalogSnapshot.Served(catalog: $0.catalog, fetchedAt: $0.fetchedAt) }
        snapshot.policy = assignment.policy
        snapshot.refresh.url = assignment.url?.description
        snapshot.refresh.proxy = assignment.proxy.map { ProxyStatus(url: $0.url.description, source: $0.source) }
        snapshot.refresh.activity = machine.isLoading ? .loading : .idle
        snapshot.refresh.nextAt = machine.next?.at
        snapshot.refresh.reason = machine.next?.reason ?? .none
        snapshot.refresh.attempt = machine.schedule.attempt
        snapshot.refresh.lastAttemptAt = machine.schedule.lastAttemptAt
        snapshot.refresh.lastOutcome = machine.schedule.lastOutcome
        snapshot.refresh.lastError = machine.schedule.lastError
        snapshot.refresh.heldBack = machine.schedule.heldBack?.status
        snapshot.retryAfter = machine.schedule.retryAfter
        snapshot.departed = generations.departed
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.cache.error = store.problem
        return snapshot
    }

    private var held: HeldCatalog? { generations.current }

    // MARK: Life

    /// Loads the catalog on disk, if it may, and begins to keep it fresh.
    func start(_ assignment: Assignment, loadsCache: Bool) {
        self.assignment = assignment
        if loadsCache || isSampling { generations.serve(loadHeld()) } else { store.skip() }
        let offer = store.takeOffer(of: assignment.url, trust: assignment.trust, over: held)
        if let offer { generations.serve(offer) }
        if let problem = schedules.load() { log.scheduleForgotten(problem) }
        machine = Machine(
            policy: assignment.policy, hasOrigin: assignment.url != nil, fetchedAt: held?.fetchedAt,
            schedule: schedules.schedule(of: assignment), now: effects.now(),
            generator: SystemRandomNumberGenerator())
        if let offer { took(offer) }
        life = .running(
            refresh: RefreshTimer(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.timerFired() }
            },
            expiry: RefreshTimer(queue: executor.queue) { [changed] in changed() })
        advance()
    }

    /// Cancels a fetch under way, answers all waiting clients, and fetches no more.
    func stop() {
        machine.stopped(now: effects.now())
        endFetch()
        life = .stopped
        settle()
        answerWaiters(failed("promod is stopping, and the fetch was cancelled."))
    }

    /// Switches to another catalog, or to other settings for the same one.
    func assign(_ next: Assignment) {
        let old = assignment.url?.normalized
        let url = next.url?.normalized
        let isSame = url == old
        let isTrustSame = assignment.trust == next.trust
        assignment = next
        if !isSame { endFetch() }
        let offer = store.takeOffer(of: next.url, trust: next.trust, over: held)
        // A daemon that started with a broken configuration, and so without a URL, may already serve this URL's catalog.
        if let offer {
            generations.serve(offer)
        } else if held == nil || !isTrustSame && !isTrusted
            || !isSame && (url == nil || url != held?.contents?.header.url)
        {
            generations.serve(loadHeld())
        }
        let now = effects.now()
        if isSame {
            machine.configured(next.policy, fetchedAt: held?.fetchedAt, now: now)
        } else {
            machine.stopped(now: now)
            schedules.keep(machine.schedule, of: old)
            machine.originChanged(
                next.policy, schedule: next.url == nil ? nil : schedules.schedule(of: next),
                fetchedAt: held?.fetchedAt, now: now)
        }
        if let offer { took(offer) }
        advance()
        if !isSame { answerWaiters(failed("The configuration changed, and the fetch was cancelled.")) }
    }

    /// The catalog that can be served without a fetch: the sample if no URL is configured, else the cached catalog of the URL.
    private func loadHeld() -> HeldCatalog? {
        isSampling ? .sample() : store.load(url: assignment.url, trust: assignment.trust)
    }

    private var isSampling: Bool { assignment.url == nil && !assignment.isUnknown }

    /// Whether the catalog that is held counts with the keys in force.
    private var isTrusted: Bool {
        held?.contents.map { (try? assignment.trust.check(CatalogText($0.bytes))) != nil } ?? true
    }

    /// Counts a catalog that `promod configure` fetched from this origin as a successful fetch.
    private func took(_ offer: HeldCatalog) {
        guard let fetchedAt = offer.fetchedAt else { return }
        machine.fetchedElsewhere(at: fetchedAt, now: effects.now())
        log.offerTaken(apps: offer.catalog.count, generation: offer.generation)
    }

    // MARK: Requests

    /// Fetches now. The completion is called when the fetch has ended; at once if no wait is asked for or there is no fetch.
    /// - Parameter noOrigin: the error if no URL is configured.
    func refresh(
        _ parameters: RefreshParameters, noOrigin: RequestError,
        completion: @escaping @Sendable (Command.Reply) -> Void
    ) {
        switch machine.refreshRequested(now: effects.now()) {
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
        // Even while the sample is served: an earlier configuration may have left a file.
        try store.clear()
        guard assignment.url != nil || held?.contents != nil else { return }
        endFetch()
        machine.cleared(now: effects.now())
        generations.serve(nil)
        advance()
        // A client that waits for a refresh gets the result of the fetch that follows, if one begins now.
        if !machine.isLoading {
            answerWaiters(RefreshResult(outcome: .throttled, generation: nil, retryAt: machine.next?.at))
        }
    }

    /// A client was answered from an expired catalog.
    func expiredCatalogServed() {
        perform(machine.expiredCatalogServed(now: effects.now()))
        advance()
    }

    /// A default route appeared.
    func networkAppeared() {
        machine.networkAppeared(now: effects.now())
        advance()
    }

    // MARK: Fetching

    private func timerFired() {
        guard case .running(let timer, _) = life else { return }
        timer.fired()
        perform(machine.timerFired(elapsed: timer.hasElapsed, now: effects.now()))
        advance()
    }

    private func perform(_ action: Machine.Action) {
        if case .fetch(let id) = action { fetch(id) }
    }

    private func fetch(_ id: Machine.FetchID) {
        guard let url = assignment.url else { return }
        let request = OriginRequest(
            url: url, validators: held?.contents?.header.validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: assignment.maximumBytes, timeout: assignment.timeout, proxies: assignment.proxies)
        // Before the origin is asked, so that no crash forgets the attempt.
        saveSchedule()
        log.fetchStarted(url)
        cancelFetch = effects.origin.fetch(request) { [weak self, executor] reply in
            executor.queue.async { [weak self] in
                self?.assumeIsolated { $0.fetchEnded(id, reply, from: url) }
            }
        }
    }

    private func endFetch() {
        cancelFetch?()
        cancelFetch = nil
        isAccepting = false
    }

    private func fetchEnded(_ id: Machine.FetchID, _ reply: OriginReply, from url: HTTPSURL) {
        let now = effects.now()
        let rule = HoldBackRule(
            isOn: assignment.holdsBack && !isAccepting, before: machine.schedule.heldBack,
            wait: assignment.policy.backoff.base)
        let intake = CatalogIntake(reply, held: held, from: url, trust: assignment.trust, rule: rule, now: now)
        guard machine.fetchEnded(id, intake.end(of: reply, isOnline: effects.isOnline, now: now), now: now) else {
            return
        }
        cancelFetch = nil
        isAccepting = false
        var result = take(intake)
        result.generation = held?.generation
        advance()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.count, attempt: machine.schedule.attempt,
            next: machine.next?.at)
        answerWaiters(result)
    }

    /// Stores and serves an accepted catalog.
    private func take(_ intake: CatalogIntake) -> RefreshResult {
        switch intake {
        case .updated(var next):
            let error = store.store(&next)
            generations.serve(next)
            return RefreshResult(outcome: .updated, generation: nil, error: error)
        case .unchanged(var same):
            let error = store.store(&same)
            generations.serve(same)
            return RefreshResult(outcome: .unchanged, generation: nil, error: error)
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
        perform(machine.timerFired(elapsed: false, now: effects.now()))
        settle()
    }

    /// Brings timers, disk and publication in line with what the machine decided.
    private func settle() {
        setTimers()
        saveSchedule()
        changed()
    }

    private func saveSchedule() {
        schedules.keep(machine.schedule, of: assignment.url?.normalized)
        if let error = schedules.save() { log.scheduleNotStored(error) }
    }

    private func setTimers() {
        guard case .running(let refresh, let expiry) = life else { return }
        let now = effects.now()
        refresh.set(to: machine.next?.at, now: now)
        // An expiry that has passed was published when it happened, or happened before the start.
        let end = held?.fetchedAt.map { $0 + assignment.policy.interval }
        if end.map({ now < $0 }) ?? true { expiry.set(to: end, now: now) }
    }
}
