import Dispatch
package import PromoCore
import PromoProcess
package import PromoWire

/// Carries out commands that have to wait. It owns the configuration, the reviews and the refresher, all on one private
/// queue, and publishes the snapshot from which requests are answered.
package actor ControlPlane {
    private enum Life {
        case starting
        case running
        case stopped
    }

    nonisolated private let executor = QueueExecutor(label: "promod.control")
    /// The actor holds the executor for as long as it lives.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let effects: Effects
    private let log: RefreshLog
    private let publication: Publication
    private let cache: PrivateDirectory
    private var reviews: ReviewStore

    private var life = Life.starting
    private var lock: LockFile?
    private var configuration = Configuration()
    private var configurationStatus = ConfigurationStatus()
    private var routeWatch: RouteWatch?
    /// It runs on this queue too, so calls between the two never wait.
    private lazy var refresher = CatalogRefresher(
        executor: executor, effects: effects, directory: cache,
        changed: { [weak self] in self?.assumeIsolated { $0.publish() } })

    /// A plane that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    package init(effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory) {
        self.effects = effects
        self.publication = publication
        self.cache = cache
        log = RefreshLog(logger: effects.logger)
        reviews = ReviewStore(directory: state, logger: effects.logger)
    }

    /// Runs something on the plane's queue.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// Waits until everything that was given to ``perform(_:)`` is done.
    package nonisolated func finish() {
        executor.queue.sync {}
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameters:
    ///   - lock: the cache's lock, kept while the plane lives; nil if it could not be taken.
    ///   - loadsCache: whether the cached catalog is loaded; false if promod ended during its last loads.
    package func start(_ initial: InitialConfiguration, lock: LockFile?, loadsCache: Bool = true) {
        self.lock = lock
        configuration = initial.configuration
        configurationStatus = initial.status
        var isUnknown = false
        if case .broken(let problems, _) = initial {
            isUnknown = true
            log.configurationBroken(problems, hasOld: false)
        }
        // A problem with the history is reported now and at each request that needs it; everything else works.
        _ = try? reviews.prepare()
        life = .running
        watchRoutes()
        if configuration.catalogURL == nil && !isUnknown { log.sampleServed() }
        let assignment = CatalogRefresher.Assignment(configuration, isUnknown: isUnknown)
        refresher.assumeIsolated { $0.start(assignment, loadsCache: loadsCache) }
    }

    /// Cancels a fetch under way, answers all waiting clients, and fetches no more.
    package func stop() {
        life = .stopped
        routeWatch = nil
        refresher.assumeIsolated { $0.stop() }
    }

    private func watchRoutes() {
        do {
            routeWatch = try RouteWatch(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.refresher.assumeIsolated { $0.networkAppeared() } }
            }
        } catch {
            log.routesNotWatched(error)
        }
    }

    // MARK: Commands

    /// Carries out a command; the completion is called on this plane's queue, at once or when a fetch has ended.
    package func carryOut(_ command: Command, completion: @escaping @Sendable (Command.Reply) -> Void) {
        guard case .running = life else {
            return completion(.refused(RequestError(.busy, "promod is starting or stopping; try again in a moment.")))
        }
        switch command {
        case .refresh(let parameters):
            let noOrigin = noOrigin
            refresher.assumeIsolated { $0.refresh(parameters, noOrigin: noOrigin, completion: completion) }
        case .clear:
            completion(reply { () throws(RequestError) in try clear() })
        case .reload:
            completion(reply { () throws(RequestError) in try reload() })
        case .launch(let parameters):
            completion(review { (reviews, now) throws(RequestError) in try reviews.launch(parameters.app, now: now) })
        case .reviewEligible(let parameters):
            completion(
                review { (reviews, now) throws(RequestError) in
                    let record = try reviews.prepare()[parameters.app]
                    let verdict = configuration.review.judge(
                        parameters, record, page: page(parameters), isOnline: effects.isOnline, now: now)
                    return verdict.eligibility(of: parameters.app)
                })
        case .reviewRequest(let parameters):
            completion(
                review { (reviews, now) throws(RequestError) in
                    try reviews.request(
                        parameters, policy: configuration.review, page: page(parameters), isOnline: effects.isOnline,
                        now: now)
                })
        case .reviewReset(let parameters):
            completion(review { (reviews, _) throws(RequestError) in try reviews.reset(parameters.app) })
        }
    }

    /// Calls back on this plane's queue when the fetch under way has ended, or at once if there is none.
    package func awaitFetch(_ completion: @escaping @Sendable () -> Void) {
        guard case .running = life else { return completion() }
        refresher.assumeIsolated { $0.awaitFetch(completion) }
    }

    /// A client was answered from an expired catalog.
    package func expiredCatalogServed() {
        guard case .running = life else { return }
        refresher.assumeIsolated { $0.expiredCatalogServed() }
    }

    private func reply(_ body: () throws(RequestError) -> any MethodResult) -> Command.Reply {
        do {
            return .result(try body())
        } catch {
            return .refused(error)
        }
    }

    private func clear() throws(RequestError) -> ClearResult {
        let result = refresher.assumeIsolated { refresher in
            Result { () throws(RequestError) in try refresher.clear() }
        }
        try result.get()
        return ClearResult()
    }

    // MARK: Reviews

    /// Runs a command on the review history, and publishes the history. Every change is on disk before this returns.
    private func review(
        _ body: (inout ReviewStore, _ now: Timestamp) throws(RequestError) -> any MethodResult
    ) -> Command.Reply {
        defer { publish() }
        return reply { () throws(RequestError) in try body(&reviews, effects.now()) }
    }

    private func page(_ parameters: ReviewParameters) -> String? {
        parameters.page(in: refresher.assumeIsolated { $0.snapshot.served?.catalog })
    }

    // MARK: Configuration

    /// Reads the configuration again; a bad one leaves the old one in force.
    @discardableResult
    package func reload() throws(RequestError) -> ReloadResult {
        // A plane that has not started will read the configuration when it starts.
        guard case .running = life else { return ReloadResult() }
        effects.notifier.reloading()
        defer { effects.notifier.ready() }
        do {
            let loaded = try effects.loadConfiguration()
            apply(loaded)
            log.configurationReloaded(file: loaded.file)
            return ReloadResult()
        } catch {
            configurationStatus.error = error.description
            log.configurationBroken(error, hasOld: true)
            publish()
            throw RequestError(.badConfiguration, error.description)
        }
    }

    private func apply(_ loaded: ConfigurationLoader.Loaded) {
        configuration = loaded.configuration
        configurationStatus = ConfigurationStatus(file: loaded.file)
        effects.configurationChanged(configuration)
        let assignment = CatalogRefresher.Assignment(configuration, isUnknown: false)
        refresher.assumeIsolated { $0.assign(assignment) }
    }

    private var noOrigin: RequestError {
        let sample = "No catalog.url is configured, and the sample needs no refresh; \"promoctl setup\" sets one."
        return RequestError(
            .noOrigin,
            configurationStatus.error.map { "Nothing is fetched while the configuration is broken. \($0)" } ?? sample)
    }

    // MARK: Publication

    private func publish() {
        var snapshot = Snapshot(catalog: refresher.assumeIsolated { $0.snapshot })
        snapshot.configuration = configurationStatus
        snapshot.reviewPolicy = configuration.review
        snapshot.reviews = reviews.history
        let before = publication.current.catalog.served?.catalog.generation
        publication.publish(snapshot)
        if snapshot.catalog.served?.catalog.generation != before { Memory.giveBack() }
        effects.notifier.status(StatusLine.text(snapshot, format: LocalTime.short))
    }
}
