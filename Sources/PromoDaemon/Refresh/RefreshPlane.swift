import Dispatch
import PromoCore
package import PromoWire

/// Performs what the refresh machine decides: fetches, validates, writes and publishes, all on one private queue.
package actor RefreshPlane {
    private typealias Machine = RefreshMachine<SystemRandomNumberGenerator>

    nonisolated private let executor = QueueExecutor(label: "promod.refresh")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let effects: Effects
    private let log: RefreshLog
    private let publication: Publication
    private let store: CatalogStore
    private let scheduleFile: ScheduleFile
    private var reviews: ReviewStore

    private var lock: LockFile?
    private var configuration = Configuration()
    private var configurationStatus = ConfigurationStatus()
    private var machine: Machine
    private var held: HeldCatalog?
    /// The store numbers of the apps that the generation before had, by id.
    private var previousApps: [String: String] = [:]
    private var schedules = ScheduleBook()
    private var savedSchedules = ScheduleBook()
    /// What the timer is set to.
    private var armed: Machine.Appointment?
    /// When what is held passes its time, which those who follow events are told.
    private var expiry: Timestamp?
    private var expiryTimer: RefreshTimer?
    /// There while the plane runs.
    private var timer: RefreshTimer?
    private var routeWatch: RouteWatch?
    private var cancelCurrentFetch: (@Sendable () -> Void)?
    private var refreshWaiters: [@Sendable (Reply) -> Void] = []
    private var fetchWaiters: [@Sendable (Reply) -> Void] = []

    /// A plane that does nothing yet.
    /// - Parameters:
    ///   - cache: what can be fetched again.
    ///   - state: what cannot.
    package init(effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory) {
        self.effects = effects
        self.publication = publication
        log = RefreshLog(logger: effects.logger)
        store = CatalogStore(directory: cache, logger: effects.logger)
        scheduleFile = ScheduleFile(directory: cache)
        reviews = ReviewStore(directory: state, logger: effects.logger)
        machine = Machine(
            policy: RefreshPolicy(), hasOrigin: false, fetchedAt: nil, schedule: RefreshSchedule(), now: effects.now(),
            generator: SystemRandomNumberGenerator())
    }

    /// Runs something on the plane's queue.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated RefreshPlane) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameter lock: kept while the plane lives; nil where the disk gives none.
    package func start(_ initial: InitialConfiguration, lock: LockFile?) {
        self.lock = lock
        configuration = initial.configuration
        configurationStatus = initial.status
        if case .broken(let problems, _) = initial { log.configurationBroken(problems, hasOld: false) }
        held = loadHeld()
        let offer = store.takeOffer(of: configuration.catalogURL, over: held)
        if let offer { held = offer }
        // What is wrong is said at the start and at each request; everything else goes on.
        _ = try? reviews.prepare()
        let schedule = loadSchedule()
        machine = Machine(
            policy: configuration.refresh, hasOrigin: configuration.catalogURL != nil, fetchedAt: held?.fetchedAt,
            schedule: schedule, now: effects.now(), generator: SystemRandomNumberGenerator())
        if let offer { took(offer) }
        timer = RefreshTimer(queue: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        expiryTimer = RefreshTimer(queue: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.publish() }
        }
        watchRoutes()
        if configuration.catalogURL == nil && configurationStatus.error == nil { log.sampleServed() }
        settle()
    }

    /// Cancels a fetch under way, answers everybody who waits, and fetches no more.
    package func stop() {
        machine.stopped(now: effects.now())
        cancelFetch()
        timer = nil
        expiryTimer = nil
        routeWatch = nil
        saveSchedule()
        publish()
        answerWaiters(failed("promod is stopping, and the fetch was cancelled."))
    }

    private var isRunning: Bool { timer != nil }

    private func watchRoutes() {
        do {
            routeWatch = try RouteWatch(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.networkAppeared() }
            }
        } catch {
            log.routesNotWatched(error)
        }
    }

    // MARK: Requests

    /// Carries out a request; the completion is called on this plane's queue, at once or when a fetch has ended.
    package func carryOut(_ request: Request, completion: @escaping @Sendable (Reply) -> Void) {
        guard isRunning else {
            return completion(.refused(RequestError(.busy, "promod is starting or stopping; try again in a moment.")))
        }
        switch request {
        case .refresh(let parameters): refresh(wait: parameters.wait, completion: completion)
        case .clear: completion(clear())
        case .reload: completion(reload())
        case .launch, .reviewEligible, .reviewRequest, .reviewReset: completion(review(request))
        case .list, .tap, .impression, .subscribe, .status, .discover:
            if machine.isLoading { fetchWaiters.append(completion) } else { completion(.published) }
        }
    }

    /// Answers what is asked of the review history; what changes it is on disk before this returns.
    private func review(_ request: Request) -> Reply {
        defer { publish() }
        let now = effects.now()
        do {
            switch request {
            case .launch(let parameters):
                return .result(try reviews.launch(parameters.app, now: now))
            case .reviewRequest(let parameters):
                return .result(
                    try reviews.request(
                        parameters, policy: configuration.review, page: parameters.page(in: held?.catalog),
                        isOnline: effects.isOnline, now: now))
            case .reviewReset(let parameters):
                return .result(try reviews.reset(parameters.app))
            default:
                try reviews.prepare()
                return .published
            }
        } catch {
            return .refused(error)
        }
    }

    /// Somebody was answered from an expired catalog.
    package func expiredCatalogServed() {
        perform(machine.expiredCatalogServed(now: effects.now()))
        settle()
    }

    /// Reads the configuration again; a bad one leaves the old one in force.
    @discardableResult
    package func reload() -> Reply {
        // A plane that has not started reads the configuration when it does.
        guard isRunning else { return .result(ReloadResult()) }
        effects.notifier.reloading()
        defer { effects.notifier.ready() }
        do {
            let loaded = try effects.loadConfiguration()
            apply(loaded)
            log.configurationReloaded(file: loaded.file)
            return .result(ReloadResult())
        } catch {
            configurationStatus.error = error.description
            log.configurationBroken(error, hasOld: true)
            settle()
            return .refused(RequestError(.badConfiguration, error.description))
        }
    }

    /// Fetches now; the completion gets the outcome when the fetch has ended, or at once where there is none.
    private func refresh(wait: Bool, completion: @escaping @Sendable (Reply) -> Void) {
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
        if wait {
            refreshWaiters.append(completion)
        } else {
            completion(.result(RefreshResult(outcome: .started, generation: held?.generation)))
        }
        settle()
    }

    /// Forgets the cached catalog, in memory and on disk; the sample stays.
    private func clear() -> Reply {
        do {
            try store.clear()
        } catch {
            return .refused(error)
        }
        // The sample stays, and what an earlier configuration left on disk does not.
        guard configuration.catalogURL != nil || held?.contents != nil else { return .result(ClearResult()) }
        cancelFetch()
        machine.cleared(now: effects.now())
        hold(nil)
        settle()
        // Who waits for a refresh waits for the one that follows.
        if !machine.isLoading {
            answerWaiters(RefreshResult(outcome: .throttled, generation: nil, retryAt: machine.next?.at))
        }
        return .result(ClearResult())
    }

    /// Serves another catalog, or none.
    private func hold(_ next: HeldCatalog?) {
        if let held, held.generation != next?.generation {
            previousApps = Dictionary(
                held.catalog.apps.map { ($0.id, $0.appStoreID) }, uniquingKeysWith: { first, _ in first })
        }
        if let next { previousApps = previousApps.filter { next.catalog.app($0.key) == nil } }
        held = next
    }

    private var noOrigin: RequestError {
        let sample = "No catalog.url is configured, and the sample needs no refresh; \"promoctl setup\" sets one."
        return RequestError(
            .noOrigin,
            configurationStatus.error.map { "Nothing is fetched while the configuration is broken. \($0)" } ?? sample)
    }

    // MARK: Events

    private func timerFired() {
        armed = nil
        perform(machine.timerFired(elapsed: timer?.hasElapsed ?? false, now: effects.now()))
        settle()
    }

    private func networkAppeared() {
        machine.networkAppeared(now: effects.now())
        settle()
    }

    private func perform(_ action: Machine.Action) {
        if case .fetch(let id) = action { fetch(id) }
    }

    private func apply(_ loaded: ConfigurationLoader.Loaded) {
        let oldURL = configuration.catalogURL?.normalized
        configuration = loaded.configuration
        configurationStatus = ConfigurationStatus(file: loaded.file)
        let url = configuration.catalogURL?.normalized
        let isSame = url == oldURL
        if !isSame { cancelFetch() }
        let offer = store.takeOffer(of: configuration.catalogURL, over: held)
        // A daemon that started without a URL, because the configuration was broken, may hold what belongs to this one.
        if let offer {
            hold(offer)
        } else if held == nil || !isSame && (url == nil || url != held?.contents?.header.url) {
            hold(loadHeld())
        }
        let now = effects.now()
        if isSame {
            machine.configured(configuration.refresh, fetchedAt: held?.fetchedAt, now: now)
        } else {
            machine.stopped(now: now)
            keepSchedule(of: oldURL)
            machine.originChanged(
                configuration.refresh, schedule: url.map { schedules.schedule(of: $0) }, fetchedAt: held?.fetchedAt,
                now: now)
        }
        if let offer { took(offer) }
        effects.configurationChanged(configuration)
        settle()
        if !isSame { answerWaiters(failed("The configuration changed, and the fetch was cancelled.")) }
    }

    /// A catalog that somebody else fetched of this origin counts as a fetch that ended.
    private func took(_ offer: HeldCatalog) {
        guard let fetchedAt = offer.fetchedAt else { return }
        machine.fetchedElsewhere(at: fetchedAt, now: effects.now())
        log.offerTaken(apps: offer.catalog.apps.count, generation: offer.generation)
    }

    /// What can be served without a fetch: the sample where no URL is configured, else the cached catalog of that URL.
    private func loadHeld() -> HeldCatalog? {
        let isSample = configuration.catalogURL == nil && configurationStatus.error == nil
        return isSample ? .sample() : store.load(url: configuration.catalogURL)
    }

    /// What the last daemon left of this origin's schedule, or of its last origin's if the configuration is broken.
    private func loadSchedule() -> RefreshSchedule {
        let (book, problem) = scheduleFile.read()
        if let problem { log.scheduleForgotten(problem) }
        (schedules, savedSchedules) = (book, book)
        if configurationStatus.error != nil { return book.schedules.first ?? RefreshSchedule() }
        return configuration.catalogURL.map { book.schedule(of: $0.normalized) } ?? RefreshSchedule()
    }

    // MARK: Fetching

    private func fetch(_ id: Machine.FetchID) {
        guard let url = configuration.catalogURL else { return }
        let request = OriginRequest(
            url: url, validators: held?.contents?.header.validators ?? Validators(), caFile: configuration.caFile,
            maximumBytes: configuration.maximumBytes, timeout: configuration.timeout)
        log.fetchStarted(url)
        cancelCurrentFetch = effects.origin.fetch(request) { [weak self] reply in
            self?.perform { $0.fetchEnded(id, reply, from: url) }
        }
    }

    private func cancelFetch() {
        cancelCurrentFetch?()
        cancelCurrentFetch = nil
    }

    private func fetchEnded(_ id: Machine.FetchID, _ reply: OriginReply, from url: HTTPSURL) {
        guard machine.fetching == id else { return }
        cancelCurrentFetch = nil
        let now = effects.now()
        var result = RefreshResult(outcome: .failed, generation: nil)
        do {
            var accepted = try accept(reply, from: url, now: now)
            result.outcome = accepted.generation == held?.generation ? .unchanged : .updated
            result.error = store.store(&accepted)
            hold(accepted)
            _ = machine.fetchEnded(id, result.outcome == .updated ? .updated : .unchanged, now: now)
        } catch {
            result.error = error
            _ = machine.fetchEnded(id, end(for: reply, error, now: now), now: now)
            result.retryAt = machine.next?.at
        }
        result.generation = held?.generation
        settle()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.apps.count, attempt: machine.schedule.attempt,
            next: machine.next?.at)
        answerWaiters(result)
    }

    /// What an origin's reply makes of the catalog at hand.
    private func accept(_ reply: OriginReply, from url: HTTPSURL, now: Timestamp) throws(Failure) -> HeldCatalog {
        switch reply {
        case .failed(let failure, _, _):
            throw failure
        case .notModified(let validators):
            guard var same = held, same.contents != nil else {
                throw Failure(.httpStatus, "\(url) answers 304, unchanged, and there is nothing to keep.")
            }
            same.contents?.header.fetchedAt = now
            // The validators stay those that came with the bytes. A 304 under another ETag speaks of other bytes, and the
            // next fetch asks without conditions.
            if let etag = validators.etag, !same.hasETag(etag) { same.contents?.header.validators = Validators() }
            return same
        case .body(let bytes, let validators):
            let contents = CatalogFile.Contents(bytes, of: url, validators: validators, at: now)
            let sha256 = contents.header.sha256
            if var same = held, same.contents?.header.sha256 == sha256 {
                same.contents = contents
                return same
            }
            do {
                let catalog = PreparedCatalog(try AppCatalog(bytes), generation: String(sha256.prefix(16)))
                return HeldCatalog(catalog: catalog, contents: contents, isStored: false)
            } catch {
                throw error.failure
            }
        }
    }

    private func end(for reply: OriginReply, _ failure: Failure, now: Timestamp) -> Machine.FetchEnd {
        let isUnreachable = failure.code == .dns || failure.code == .connect
        return .failed(
            failure, retryAfter: reply.retryAfter.flatMap { RetryAfter.delay($0, now: now) },
            isOffline: isUnreachable && !effects.isOnline())
    }

    private func failed(_ message: String) -> RefreshResult {
        RefreshResult(outcome: .failed, generation: held?.generation, error: Failure(.connect, message))
    }

    private func answerWaiters(_ result: RefreshResult) {
        let (refreshWaiters, fetchWaiters) = (refreshWaiters, fetchWaiters)
        self.refreshWaiters = []
        self.fetchWaiters = []
        for waiter in refreshWaiters { waiter(.result(result)) }
        for waiter in fetchWaiters { waiter(.published) }
    }

    // MARK: After each event

    /// Brings timer, disk and publication in line with what the machine decided.
    private func settle() {
        beginWhatIsDue()
        armTimer()
        armExpiryTimer()
        saveSchedule()
        publish()
    }

    /// An attempt that is due begins now rather than with the timer, so that nobody is told in between that there is nothing
    /// under way.
    private func beginWhatIsDue() {
        perform(machine.timerFired(elapsed: false, now: effects.now()))
    }

    /// Only a new appointment sets the timer: setting it again for the same one would begin its wait anew on the clock that
    /// nobody can set, and a wall clock that was set back could stretch it.
    private func armTimer() {
        guard machine.next != armed else { return }
        armed = machine.next
        if let next = machine.next {
            timer?.schedule(at: next.at, now: effects.now())
        } else {
            timer?.cancel()
        }
    }

    private func armExpiryTimer() {
        guard let fetchedAt = held?.fetchedAt else {
            expiry = nil
            expiryTimer?.cancel()
            return
        }
        let end = fetchedAt + configuration.refresh.interval
        guard end != expiry else { return }
        expiry = end
        let now = effects.now()
        if now < end { expiryTimer?.schedule(at: end, now: now) }
    }

    private func keepSchedule(of url: String?) {
        // A daemon that never fetches keeps nothing.
        if let url { schedules.keep(machine.schedule, of: url) }
    }

    private func saveSchedule() {
        keepSchedule(of: configuration.catalogURL?.normalized)
        guard schedules != savedSchedules else { return }
        do {
            try scheduleFile.replace(with: schedules)
            savedSchedules = schedules
        } catch {
            log.scheduleNotStored(error)
        }
    }

    private func publish() {
        var snapshot = Snapshot(cachePath: store.path)
        snapshot.served = held.map { Snapshot.Served(catalog: $0.catalog, fetchedAt: $0.fetchedAt) }
        snapshot.policy = configuration.refresh
        snapshot.refresh.url = configuration.catalogURL?.description
        snapshot.refresh.activity = machine.isLoading ? .loading : .idle
        snapshot.refresh.nextAt = machine.next?.at
        snapshot.refresh.reason = machine.next?.reason ?? .none
        snapshot.refresh.attempt = machine.schedule.attempt
        snapshot.refresh.lastAttemptAt = machine.schedule.lastAttemptAt
        snapshot.refresh.lastOutcome = machine.schedule.lastOutcome
        snapshot.refresh.lastError = machine.schedule.lastError
        snapshot.retryAfter = machine.schedule.retryAfter
        snapshot.departed = previousApps
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.configuration = configurationStatus
        snapshot.reviewPolicy = configuration.review
        snapshot.reviews = reviews.history
        let isNewGeneration = held?.generation != publication.current.served?.catalog.generation
        publication.publish(snapshot)
        if isNewGeneration { Memory.giveBack() }
        effects.notifier.status(StatusLine.text(snapshot, format: LocalTime.short))
    }
}
