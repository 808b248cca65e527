import Dispatch
package import PromoCore
import PromoProcess
package import PromoWire

/// Carries out commands that have to wait. It owns the configuration, the reviews and the refreshers of all catalogs, all on one
/// private queue, and publishes the snapshot from which requests are answered.
package actor ControlPlane {
    private enum Life {
        case starting
        case running
        case stopped
    }

    /// The shortest time between two looks for drop-ins that clients cause.
    private static let lookGap: Milliseconds = 1000

    nonisolated private let executor = QueueExecutor(label: "promod.control")
    /// The actor holds the executor for as long as it lives.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated private let handover: Handover
    private let effects: Effects
    private let log: ControlLog
    private let publication: Publication
    private let cache: PrivateDirectory
    private let unconfigured: UnconfiguredCaches
    private let naming = CatalogLog.Naming()
    private var reviews: ReviewStore
    private var gathered = Gathered()

    private var life = Life.starting
    private var lock: LockFile?
    private var configuration = Configuration()
    private var configurationStatus = ConfigurationStatus()
    /// The file that sets the address of the default catalog.
    private var catalogFile: String?
    private var dropIns = DropInCatalogs()
    /// The catalogs besides the default one, by name.
    private var others: [NamedCatalog] = []
    private var lastLook: Milliseconds?
    /// Whether several catalogs are being changed, and the snapshot is published when all are.
    private var isChangingSeveral = false
    private var routeWatch: RouteWatch?
    private var clockWatch: ClockWatch?
    /// They run on this queue too, so calls between them never wait.
    private lazy var refreshers = Refreshers { [unowned self, executor, effects, naming, cache] name in
        let directory =
            name == CatalogReference.defaultName ? cache : PrivateDirectory(path: cache.path(of: "catalogs/\(name)"))
        return CatalogRefresher(
            name, executor: executor, effects: effects, naming: naming, directory: directory,
            willFetch: { [weak self] in self?.assumeIsolated { $0.lookForDropIns() } },
            changed: { [weak self] in self?.assumeIsolated { $0.publish() } })
    }

    /// A plane that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history.
    /// - Throws: ``SystemError`` if no descriptor is left.
    package init(
        effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory
    ) throws(SystemError) {
        handover = try Handover(to: executor.queue)
        self.effects = effects
        self.publication = publication
        self.cache = cache
        unconfigured = UnconfiguredCaches(directory: cache.path(of: "catalogs"))
        log = ControlLog(logger: effects.logger)
        reviews = ReviewStore(directory: state, logger: effects.logger)
        effects.clock.observe { [weak self] in self?.perform { $0.clockSet() } }
    }

    /// Runs something on the plane's queue. The caller never waits.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        handover.submit { self.assumeIsolated(body) }
    }

    /// Waits until everything that was given to ``perform(_:)`` is done.
    package nonisolated func finish() {
        executor.queue.sync { handover.runSubmitted() }
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameters:
    ///   - lock: the cache's lock, kept while the plane lives; nil if it could not be taken.
    ///   - loadsCache: whether the cached catalogs are loaded; false if promod ended during its last loads.
    package func start(_ initial: InitialConfiguration, lock: LockFile?, loadsCache: Bool = true) {
        // It may have been set while promod waited for the lock.
        clockSet()
        self.lock = lock
        configuration = initial.configuration
        configurationStatus = initial.status
        catalogFile = initial.catalogFile
        dropIns = initial.dropIns
        if case .broken(let problems, _, _) = initial { log.configurationBroken(problems, hasOld: false) }
        // A problem with the history is reported now and at each request that needs it; everything else works.
        _ = try? reviews.prepare()
        life = .running
        watchRoutes()
        watchClock()
        if configuration.catalog.url == nil && !isUnknown { log.sampleServed() }
        assign(loadsCache: loadsCache)
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    package func stop() {
        life = .stopped
        answerGathered()
        routeWatch = nil
        clockWatch = nil
        refreshers.forEach { $0.stop() }
    }

    private func watchRoutes() {
        do {
            routeWatch = try RouteWatch(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.networkAppeared() }
            }
        } catch {
            log.routesNotWatched(error)
        }
    }

    private func watchClock() {
        do {
            clockWatch = try ClockWatch(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.clockSet() }
            }
        } catch {
            log.clockNotWatched(error)
        }
    }

    /// The wall clock was set, or the machine was suspended.
    func clockSet() {
        if let step = effects.clock.stepBack() {
            // Published before the clock follows, or the server would show old times by the new clock.
            publishOnce { refreshers.forEach { $0.move(by: step) } }
            effects.clock.follow(step)
            log.clockSetBack(by: .zero - step)
        }
        guard case .running = life else { return }
        publishOnce { refreshers.forEach { $0.clockSet() } }
    }

    /// A default route appeared.
    func networkAppeared() {
        refreshers.forEach { $0.networkAppeared() }
    }

    // MARK: Catalogs

    /// Whether the configuration is broken, and has been since the start: then the cached catalogs are served whatever their
    /// addresses, and nothing is fetched.
    private var isUnknown: Bool { configurationStatus.error != nil && !isConfigured }

    /// Whether a configuration has been in force.
    private var isConfigured = false

    /// Gives each configured catalog a refresher with its settings, and stops the refreshers of all others.
    private func assign(loadsCache: Bool = true) {
        if configurationStatus.error == nil { isConfigured = true }
        let before = (others, configurationStatus.ignored)
        (others, configurationStatus.ignored) = dropIns.added(to: configuration.catalogs)
        if isUnknown { addCachedCatalogs() }
        naming.isOn = !others.isEmpty
        report(before)
        var assignments = [
            CatalogReference.defaultName: CatalogRefresher.Assignment(
                configuration, configuration.catalog, isUnknown: isUnknown)
        ]
        for catalog in others {
            let isUnknown = isUnknown || catalog.problem != nil
            var settings = catalog.configuration
            if isUnknown { settings.url = nil }
            assignments[catalog.name] = CatalogRefresher.Assignment(configuration, settings, isUnknown: isUnknown)
        }
        publishOnce {
            refreshers.assign(assignments, loadsCache: loadsCache)
            tendCaches()
        }
    }

    /// While the configuration is broken, the catalogs that may stand in it: those with a cache and without a drop-in.
    private func addCachedCatalogs() {
        let known = Set(others.map(\.name)).union(dropIns.masked)
        let names = unconfigured.names.filter { !known.contains($0) }
        for name in names.prefix(max(0, NamedCatalog.maximumCount - 1 - others.count)) {
            others.append(NamedCatalog(name: name, file: configurationStatus.file ?? ""))
        }
        others.sort { $0.name < $1.name }
    }

    /// Logs what is wrong with drop-ins, unless it was before.
    private func report(_ before: (catalogs: [NamedCatalog], ignored: [IgnoredFile])) {
        for catalog in others where !isUnknown && !before.catalogs.contains(catalog) {
            if let problem = catalog.problem { log.dropInBroken(catalog, problem) }
        }
        for ignored in configurationStatus.ignored where !before.ignored.contains(ignored) { log.fileIgnored(ignored) }
    }

    private func tendCaches() {
        // What is configured is not known while the configuration is broken.
        guard !isUnknown else { return }
        unconfigured.tend(configured: Set(others.map(\.name)), now: effects.now())
    }

    /// Looks for drop-ins that have come, changed or gone, and calls back.
    package func look(_ completion: @escaping @Sendable () -> Void) {
        if case .running = life { lookForDropIns() }
        completion()
    }

    private func lookForDropIns() {
        let now = effects.uptime()
        if let lastLook, now - lastLook < Self.lookGap { return }
        lastLook = now
        let found = effects.loadDropIns()
        guard found != dropIns, !found.isIncomplete else { return tendCaches() }
        dropIns = found
        assign()
    }

    // MARK: Commands

    private static let notRunning = RequestError(.busy, "promod is starting or stopping; try again in a moment.")

    /// Carries out a command; the completion is called on this plane's queue: at once, with those of other commands, or when a fetch has
    /// ended.
    package func carryOut(_ command: Command, completion: @escaping Command.Completion) {
        guard case .running = life else { return completion(.refused(Self.notRunning)) }
        do {
            switch command {
            case .refresh(let parameters):
                let catalog = try find(parameters.catalog)
                let noOrigin = noOrigin(catalog)
                refreshers[catalog.name]?.assumeIsolated {
                    $0.refresh(parameters, noOrigin: noOrigin, completion: completion)
                }
            case .clear(let parameters):
                completion(.result(try clear(try find(parameters.catalog).name)))
            case .reload:
                gather { $0.reloads.append(completion) }
            case .icon(let parameters):
                let name = try find(parameters.catalog).name
                let icon = refreshers[name]?.assumeIsolated { $0.icon(of: parameters.app) }
                completion(.result(icon ?? IconResult(app: parameters.app, picture: nil)))
            case .launch(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    try reviews.launch(app, in: catalog.name, now: now)
                }
            case .reviewEligible(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    let verdict = configuration.review.judge(
                        parameters, try reviews.record(of: app, in: catalog.name),
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                    return verdict.eligibility(of: app)
                }
            case .reviewRequest(let parameters):
                try review(parameters.app, parameters.catalog, completion) {
                    (reviews, catalog, now) throws(RequestError) in
                    try reviews.request(
                        parameters, in: catalog.name, policy: configuration.review,
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                }
            case .reviewReset(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, _) throws(RequestError) in
                    try reviews.reset(app, in: catalog.name)
                }
            }
        } catch {
            completion(.refused(error))
        }
    }

    /// Calls back on this plane's queue when the fetch of a catalog that is under way has ended, or at once if there is none.
    package func awaitFetch(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.assumeIsolated { $0.awaitFetch(completion) }
    }

    /// Calls back on this plane's queue when the pictures of a catalog that are missing or old have been fetched, or at once if there
    /// are none.
    package func awaitIcons(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.assumeIsolated { $0.awaitIcons(completion) }
    }

    private func refresher(of reference: CatalogReference?) -> CatalogRefresher? {
        guard case .running = life, let catalog = publication.current.catalog(reference) else { return nil }
        return refreshers[catalog.name]
    }

    /// A client was answered from a catalog, and this is due because of it.
    package func served(_ name: String, due: Responder.Due) {
        guard case .running = life else { return }
        refreshers[name]?.assumeIsolated { refresher in
            if due.contains(.refresh) { refresher.expiredCatalogServed() }
            if due.contains(.icons) { refresher.iconsAsked() }
        }
    }

    /// The catalog that a command names. A snapshot is published whenever one changes, so the latest is as things are.
    private func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try publication.current.find(reference)
    }

    private func clear(_ name: String) throws(RequestError) -> ClearResult {
        let result = refreshers[name]?.assumeIsolated { refresher in
            Result { () throws(RequestError) in try refresher.clear() }
        }
        try result?.get()
        return ClearResult()
    }

    /// Runs a command on the review history. What it changes is on disk and published before it is answered.
    private func review(
        _ app: String, _ reference: CatalogReference?, _ completion: @escaping Command.Completion,
        _ body: (inout ReviewStore, CatalogSnapshot, _ now: Timestamp) throws(RequestError) -> any MethodResult
    ) throws(RequestError) {
        let catalog = try find(reference)
        let result: any MethodResult
        do throws(RequestError) {
            result = try body(&reviews, catalog, effects.now())
        } catch {
            publish()
            throw error
        }
        guard reviews.isStored(app, in: catalog.name) else {
            return gather { $0.reviews.append((result, completion)) }
        }
        publish()
        completion(.result(result))
    }

    // MARK: Commands that came together

    /// Commands that wait for the disk. Those that came together wait for it once: if each of a thousand did so by itself, others would
    /// have to wait for all of that.
    private struct Gathered {
        var reloads: [Command.Completion] = []
        var reviews: [(result: any MethodResult, completion: Command.Completion)] = []

        var isEmpty: Bool { reloads.isEmpty && reviews.isEmpty }
    }

    /// Lets a command wait until those that were handed over before have been carried out.
    private func gather(_ change: (inout Gathered) -> Void) {
        if gathered.isEmpty { perform { $0.answerGathered() } }
        change(&gathered)
    }

    private func answerGathered() {
        let taken = gathered
        gathered = Gathered()
        if !taken.reloads.isEmpty {
            let reply = reloaded()
            for completion in taken.reloads { completion(reply) }
        }
        guard !taken.reviews.isEmpty else { return }
        var failure: RequestError?
        do { try reviews.store() } catch { failure = error }
        publish()
        for (result, completion) in taken.reviews {
            completion(failure.map(Command.Reply.refused) ?? .result(result))
        }
    }

    private func reloaded() -> Command.Reply {
        guard case .running = life else { return .refused(Self.notRunning) }
        do { return .result(try reload()) } catch { return .refused(error) }
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
            apply(try effects.loadConfiguration())
            log.configurationReloaded(file: configurationStatus.file)
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
        configurationStatus.file = loaded.file
        configurationStatus.error = nil
        catalogFile = loaded.catalogFile
        dropIns = loaded.dropIns
        effects.configurationChanged(configuration)
        assign()
    }

    private func noOrigin(_ catalog: CatalogSnapshot) -> RequestError {
        let sample = "No catalog.url is configured, and the sample needs no refresh; \"promoctl setup\" sets one."
        let broken = (catalog.error ?? configurationStatus.error).map {
            "Nothing is fetched while the configuration is broken. \($0)"
        }
        return RequestError(.noOrigin, broken ?? sample)
    }

    // MARK: Publication

    /// Publishes after several catalogs were changed, and not after each.
    private func publishOnce(_ change: () -> Void) {
        isChangingSeveral = true
        change()
        isChangingSeveral = false
        publish()
    }

    private func publish() {
        guard !isChangingSeveral else { return }
        var snapshot = Snapshot(catalog: catalogSnapshot(CatalogReference.defaultName))
        snapshot.catalog.file = catalogFile
        snapshot.catalog.error = configurationStatus.error
        snapshot.others = others.map { catalog in
            var snapshot = catalogSnapshot(catalog.name)
            snapshot.file = catalog.file
            snapshot.error = catalog.problem ?? (isUnknown ? configurationStatus.error : nil)
            // Its clients may name it by its address even while it is not fetched.
            snapshot.refresh.url = catalog.configuration.url?.description
            return snapshot
        }
        snapshot.configuration = configurationStatus
        snapshot.reviewPolicy = configuration.review
        snapshot.reviews = reviews.history
        let before = publication.current.generations
        publication.publish(snapshot)
        if snapshot.generations != before { Memory.giveBack() }
        effects.notifier.status(StatusLine.text(snapshot, format: LocalTime.short))
    }

    private func catalogSnapshot(_ name: String) -> CatalogSnapshot {
        refreshers[name]?.assumeIsolated { $0.snapshot } ?? publication.current.catalog
    }
}

extension Snapshot {
    /// The generations that are served.
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
