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

    nonisolated private let executor = QueueExecutor(label: "promod.control")
    /// The actor holds the executor for as long as it lives.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    nonisolated let intakes = IntakeQueue()
    nonisolated private let handover: Handover
    private let effects: Effects
    private let log: ControlLog
    private let publication: Publication
    private let cache: PrivateDirectory
    private let caches: CatalogCaches
    private let naming = CatalogLog.Naming()
    private let signatures: SignatureStore
    private var reviews: ReviewStore
    /// When the file of the history was last looked at for a client that did not ask about reviews.
    private var reviewsCheckedAt: Timestamp?
    private var reviewReader: ReviewReader
    private var gathered = Gathered()
    private var writePace = WritePace()

    private var life = Life.starting
    private var lock: LockFile?
    /// Another promod that keeps the cache, which this one only reads; nil if this one keeps it.
    private var owner: CacheOwner?
    private var lockLost: @Sendable (LockFile.Held) -> Void = { _ in }
    private var configuration = Configuration()
    private var configurationStatus = ConfigurationStatus()
    /// The file that sets the address of the default catalog.
    private var catalogFile: String?
    private var dropIns = DropInCatalogs()
    private var kept = KeptCatalogs()
    private var lookPace = LookPace()
    /// Whether several catalogs are being changed, and the snapshot is published when all are.
    private var isChangingSeveral = false
    private var routeWatch: RouteWatch?
    private var clockWatch: ClockWatch?
    private var dropInWatch: DropInWatch?
    private var refreshers = Refreshers()

    /// A plane that has not started.
    /// - Parameters:
    ///   - cache: the directory for what can be fetched again.
    ///   - state: the directory for what cannot, the review history and the accepted signatures.
    /// - Throws: ``SystemError`` if no descriptor is left.
    package init(
        effects: Effects, publication: Publication, cache: PrivateDirectory, state: PrivateDirectory
    ) throws(SystemError) {
        handover = try Handover(to: executor.queue)
        self.effects = effects
        self.publication = publication
        self.cache = cache
        caches = CatalogCaches(in: cache)
        log = ControlLog(logger: effects.logger)
        signatures = SignatureStore(directory: state, logger: effects.logger)
        reviews = ReviewStore(directory: state, logger: effects.logger, uptime: effects.uptime) { subject in
            let catalog = publication.current.catalogs.first { $0.identity == subject.catalog }
            return catalog?.served.map { $0.catalog.names(subject.app) }
        }
        reviewReader = ReviewReader(directory: state)
        effects.clock.observe { [weak self] in self?.perform { $0.clockSet() } }
    }

    /// Runs something on the plane's queue. The caller never waits.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        handover.submit { self.assumeIsolated(body) }
    }

    /// A callback for the plane's own queue.
    private nonisolated func entry(
        _ body: @escaping @Sendable (isolated ControlPlane) -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated(body) }
    }

    /// Waits until everything that was given to ``perform(_:)`` is done.
    package nonisolated func finish() {
        executor.queue.sync { handover.runSubmitted() }
        // What a fetch has brought is read on another queue, and then taken on this one.
        intakes.finish()
        executor.queue.sync { handover.runSubmitted() }
    }

    // MARK: Life

    /// Loads what is on disk, publishes it and begins to keep it fresh.
    /// - Parameters:
    ///   - lock: the cache's lock, kept while the plane lives; nil if it could not be taken.
    ///   - owner: another promod that holds the lock; then the plane reads what that one writes, until ``takeOver(_:loadsCache:)``.
    ///   - loadsCache: whether the cached catalogs are loaded; false if promod ended during its last loads.
    ///   - lockLost: called when another promod has taken the lock, and the plane only reads.
    package func start(
        _ initial: InitialConfiguration, lock: LockFile?, owner: CacheOwner? = nil, loadsCache: Bool = true,
        lockLost: @escaping @Sendable (LockFile.Held) -> Void = { _ in }
    ) {
        self.lockLost = lockLost
        // It may have been set while promod waited after crashes.
        clockSet()
        (self.lock, self.owner) = (lock, owner)
        configuration = initial.configuration
        configurationStatus = initial.status
        catalogFile = initial.catalogFile
        dropIns = initial.dropIns
        if case .broken(let problems, _, _) = initial { log.configurationBroken(problems, hasOld: false) }
        life = .running
        watchClock()
        begin(loadsCache: loadsCache)
    }

    /// Begins to keep the cache, of which another promod has released the lock, with what is on disk by now.
    package func takeOver(_ lock: LockFile, loadsCache: Bool) {
        guard case .running = life else { return }
        (self.lock, owner) = (lock, nil)
        publishOnce {
            refreshers.stopAll()
            begin(loadsCache: loadsCache)
        }
    }

    private func begin(loadsCache: Bool) {
        if owner == nil {
            // A problem with the history is reported now and at each request that needs it; everything else works.
            _ = try? reviews.prepare()
            reviewsCheckedAt = effects.now()
            watchRoutes()
        } else {
            _ = reviewReader.follow()
        }
        assign(loadsCache: loadsCache)
        // They may have changed since they were read, when nobody watched them.
        if !effects.dropInDirectories.isEmpty { lookForDropIns() }
    }

    /// Reads again what the promod that keeps the cache has written since the last look. No watch of files would report what another
    /// machine writes.
    package func follow() {
        guard case .running = life, let before = owner else { return }
        owner = CacheLock.owner(in: cache) ?? before
        refreshers.forEach { $0.follow() }
        if reviewReader.follow() || owner != before { publish() }
    }

    /// Loads after an hour what the guard made a start leave out.
    func loadLater(_ loadGuard: LoadGuard) {
        guard loadGuard.hasSkipped else { return }
        let pause = DispatchTimeInterval.seconds(Int(LoadGuard.pause.components.seconds))
        executor.queue.asyncAfter(
            deadline: .now() + pause, execute: entry { plane in loadGuard.loadAgain { plane.loadAgain() } })
    }

    /// Loads the cached catalogs that are not served.
    func loadAgain() {
        guard case .running = life else { return }
        publishOnce { refreshers.forEach { $0.loadAgain() } }
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    package func stop() {
        life = .stopped
        answerGathered()
        routeWatch = nil
        clockWatch = nil
        dropInWatch = nil
        refreshers.forEach { $0.stop() }
    }

    private func watchRoutes() {
        do {
            routeWatch = try RouteWatch(queue: executor.queue, onDefaultRoute: entry { $0.networkAppeared() })
        } catch {
            log.routesNotWatched(error)
        }
    }

    private func watchClock() {
        do {
            clockWatch = try ClockWatch(queue: executor.queue, onSet: entry { $0.clockSet() })
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

    /// The source of the default catalog that was in force before; nil if none was.
    private var lastSource: CatalogConfiguration.Source?

    /// Gives each configured catalog a refresher with its settings, and stops the refreshers of all others.
    private func assign(loadsCache: Bool = true) {
        if configurationStatus.error == nil { isConfigured = true }
        let before = kept
        kept = decideKept()
        (configurationStatus.ignored, configurationStatus.ignoredMore) = (kept.ignored.files, kept.ignored.more)
        naming.isOn = !kept.others.isEmpty
        report(before)
        reportSource()
        var assignments = [
            CatalogReference.defaultName: CatalogRefresher.Assignment(
                configuration, configuration.catalog, isUnknown: isUnknown, isReading: owner != nil)
        ]
        for catalog in kept.others {
            let isUnknown = isUnknown || catalog.problem != nil
            var settings = catalog.configuration
            if isUnknown { settings.url = nil }
            assignments[catalog.name] = CatalogRefresher.Assignment(
                configuration, settings, isUnknown: isUnknown, isReading: owner != nil)
        }
        publishOnce {
            refreshers.assign(assignments, loadsCache: loadsCache, make: makeRefresher)
            carryReviews()
            tendCaches()
        }
    }

    private func decideKept() -> KeptCatalogs {
        let cached = caches.inUse
        var dropIns = dropIns
        if isUnknown {
            // Those that may stand in the broken file: they have a cache and no drop-in.
            let known = Set(dropIns.catalogs.map(\.name)).union(dropIns.masked)
            dropIns.catalogs += cached.subtracting(known).sorted().map {
                NamedCatalog(name: $0, file: configurationStatus.file ?? "")
            }
        }
        return KeptCatalogs(default: configuration.catalog, tables: configuration.catalogs, dropIns: dropIns) {
            catalog in
            cached.contains(catalog.name) || catalog.problem == nil && refreshers[catalog.name] != nil
        }
    }

    /// Gives the catalogs' addresses what the review history has under their names, or under former addresses.
    private func carryReviews() {
        guard !isUnknown else { return }
        let moves = kept.moves(default: configuration.catalog)
        guard owner == nil else { return reviewReader.carry(out: moves) }
        // A change that waits is kept by the name under which it was made.
        if !gathered.reviews.isEmpty { answerGathered() }
        reviews.carry(out: moves)
        if reviews.isBehind { gather { _ in } }
    }

    /// Logs which catalogs come and go, under which names, and what is wrong with drop-ins, unless it was before.
    private func report(_ before: KeptCatalogs) {
        let names = (before: Set(before.others.map(\.name)), now: Set(kept.others.map(\.name)))
        for catalog in before.others where !names.now.contains(catalog.name) { log.catalogDropped(catalog) }
        for catalog in kept.others where !isUnknown {
            if !names.before.contains(catalog.name) { log.catalogKept(catalog) }
            if let problem = catalog.problem, !before.others.contains(catalog) { log.dropInBroken(catalog, problem) }
        }
        let (aliases, old) = (kept.aliases, before.aliases)
        for alias in old where !aliases.contains(where: { $0.file == alias.file }) { log.nameDropped(alias) }
        for alias in aliases where !old.contains(alias) { log.nameKept(alias) }
        for ignored in kept.ignored.files where !before.ignored.files.contains(ignored) { log.fileIgnored(ignored) }
    }

    /// Logs, if that is new, that the sample is served or that nothing is configured.
    private func reportSource() {
        guard !isUnknown, configuration.catalog.source != lastSource else { return }
        lastSource = configuration.catalog.source
        switch configuration.catalog.source {
        case .unset where kept.others.isEmpty: log.notConfigured()
        case .sample: log.sampleServed()
        case .unset, .address: break
        }
    }

    private func makeRefresher(_ name: String, _ number: Int) -> CatalogRefresher {
        CatalogRefresher(
            name, number: number, queue: executor.queue, effects: effects, naming: naming, caches: caches,
            intakes: intakes, signatures: signatures,
            enter: { [weak self] body in
                self?.perform { if let refresher = $0.refreshers[name, number] { body(refresher) } }
            },
            due: entry { $0.refreshDue(name, number) }, changed: { [unowned self] in publish() })
    }

    /// The time of a planned refresh has come. Before it begins, it is seen whether this promod still keeps the catalog.
    private func refreshDue(_ name: String, _ number: Int) {
        checkLock()
        lookForDropIns()
        refreshers[name, number]?.timerFired()
    }

    private func tendCaches() {
        // What is configured is not known while the configuration is broken.
        guard !isUnknown, owner == nil else { return }
        caches.tend(configured: Set(kept.others.map(\.name)), now: effects.now())
    }

    /// Watches the directories of drop-ins that there are now.
    private func watchDropIns() {
        guard !effects.dropInDirectories.isEmpty else { return }
        do throws(SystemError) {
            let watch =
                if let dropInWatch { dropInWatch } else {
                    try DropInWatch(
                        effects.dropInDirectories, queue: executor.queue, ready: entry { $0.directoriesChanged() })
                }
            try watch.renew()
            dropInWatch = watch
        } catch {
            dropInWatch = nil
            log.dropInsNotWatched(error)
        }
    }

    /// Something has changed in a directory of drop-ins, or in one above it.
    private func directoriesChanged() {
        guard dropInWatch?.takeEvents() == true, let delay = lookPace.changed(now: effects.uptime()) else { return }
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)), execute: entry { $0.lookForDropIns() })
    }

    /// Looks for drop-ins that have come, changed or gone.
    func lookForDropIns() {
        guard case .running = life else { return }
        lookPace.looks(now: effects.uptime())
        watchDropIns()
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
        checkLock()
        if let owner, let reply = reply(to: command, besides: owner) { return completion(reply) }
        do {
            switch command {
            case .refresh(let parameters):
                let catalog = try find(parameters.catalog)
                let noOrigin = noOrigin(catalog)
                refreshers[catalog.name]?.refresh(parameters, noOrigin: noOrigin, completion: completion)
            case .clear(let parameters):
                try refreshers[find(parameters.catalog).name]?.clear()
                completion(.result(ClearResult()))
            case .reload:
                gather { $0.reloads.append(completion) }
            case .diagnose(let parameters):
                guard let path = parameters.caFile else { return gather { $0.diagnoses.append(completion) } }
                completion(.result([TrustedCertificates.diagnosis(ofUnread: path)]))
            case .icon(let parameters):
                let name = try find(parameters.catalog).name
                let icon = refreshers[name]?.icon(of: parameters.app)
                completion(.result(icon ?? IconResult(app: parameters.app, picture: nil)))
            case .launch(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    try reviews.launch(app, in: catalog.identity, now: now)
                }
            case .reviewEligible(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    if let refusal = catalog.reviewRefusal { return refusal.eligibility(of: app) }
                    let verdict = configuration.review.judge(
                        parameters, try reviews.record(of: app, in: catalog.identity),
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                    return verdict.eligibility(of: app)
                }
            case .reviewRequest(let parameters):
                try review(parameters.app, parameters.catalog, completion) {
                    (reviews, catalog, now) throws(RequestError) in
                    if let refusal = catalog.reviewRefusal { return refusal.refusal(of: parameters.app) }
                    return try reviews.request(
                        parameters, in: catalog.identity, policy: configuration.review,
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                }
            case .reviewReturn(let parameters):
                try review(parameters.app, parameters.catalog, completion) {
                    (reviews, catalog, now) throws(RequestError) in
                    try reviews.returnRequest(parameters, in: catalog.identity, now: now)
                }
            case .reviewReset(let parameters):
                let (app, reference) = (parameters.app, parameters.catalog)
                try review(app, reference, completion) { (reviews, catalog, _) throws(RequestError) in
                    try reviews.reset(app, in: catalog.identity)
                }
            }
        } catch {
            completion(.refused(error))
        }
    }

    /// The reply to a command while another promod keeps the cache; nil if the command neither writes nor fetches.
    private func reply(to command: Command, besides owner: CacheOwner) -> Command.Reply? {
        switch command {
        case .icon, .reload, .diagnose: return nil
        case .launch(let parameters):
            let catalog = publication.current.catalog(parameters.catalog)
            let record = catalog.flatMap { reviewReader.history?[parameters.app, in: $0.identity] }
            if let time = record?.firstLaunch {
                return .result(LaunchResult(app: parameters.app, firstLaunch: time, isRecorded: false))
            }
        case .reviewEligible:
            // With a history it has been answered already.
            if let problem = reviewReader.problem { return .refused(RequestError(.notStored, problem)) }
        case .refresh, .clear, .reviewRequest, .reviewReturn, .reviewReset: break
        }
        return .refused(
            RequestError(
                .busy,
                "Only \(owner) can do that, because it keeps the cache; this one reads it, and takes over when that one ends."
            ))
    }

    /// Calls back on this plane's queue when the fetch of a catalog that is under way has ended, or at once if there is none.
    package func awaitFetch(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.awaitFetch(completion)
    }

    /// Calls back on this plane's queue when the pictures of a catalog that are missing or old have been fetched, or at once if there
    /// are none.
    package func awaitIcons(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.awaitIcons(completion)
    }

    private func refresher(of reference: CatalogReference?) -> CatalogRefresher? {
        guard case .running = life, let catalog = publication.current.catalog(reference) else { return nil }
        return refreshers[catalog.name]
    }

    /// A client was answered from a catalog, and this is due because of it.
    package func served(_ name: String, due: Responder.Due) {
        guard case .running = life else { return }
        if due.contains(.check) { checkFiles() }
        guard let refresher = refreshers[name] else { return }
        if due.contains(.check) { refresher.checkFiles() }
        if due.contains(.icons) { refresher.iconsAsked() }
    }

    /// A client has asked, so that a review history that somebody has replaced, damaged or mended is seen, and a lock that is gone.
    private func checkFiles() {
        if lock == nil { takeLock() } else { checkLock() }
        guard owner == nil else { return }
        reviewsCheckedAt = effects.now()
        if reviews.isToBeRead { _ = try? reviews.prepare() }
        publish()
    }

    /// Somebody may have removed the file of the lock, and another promod may have taken the lock that it finds there.
    private func checkLock() {
        if lock?.isInPlace == false { takeLock() }
    }

    private func takeLock() {
        guard owner == nil else { return }
        let former = lock
        switch CacheLock.take(in: cache) {
        case .taken(let taken): lock = taken
        case .held(let other): yield(to: other)
        case .unavailable(let reason):
            lock = nil
            if former != nil { log.cacheNotLocked(reason) }
        }
        // Its file may come back.
        former?.release()
    }

    /// Another promod has taken the lock, whose file somebody removed: from now on that one keeps the cache, and this one reads it.
    private func yield(to held: LockFile.Held) {
        answerGathered()
        reviews.close()
        (lock, owner, routeWatch) = (nil, held.owner, nil)
        publishOnce {
            refreshers.stopAll()
            begin(loadsCache: true)
        }
        lockLost(held)
    }

    /// The catalog that a command names. A snapshot is published whenever one changes, so the latest is as things are.
    private func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try publication.current.find(reference)
    }

    /// What this process can use, which in its sandbox may be less than what a shell can.
    private func diagnose() -> [Diagnosis] {
        // A person may have fixed it.
        if owner == nil { _ = try? reviews.prepare() }
        publish()
        let certificates =
            [configuration.catalog.caFile.map(TrustedCertificates.diagnosis)]
            + kept.others.map { catalog in
                catalog.configuration.caFile.map { TrustedCertificates.diagnosis(of: $0).about(catalog.name) }
            }
        return effects.diagnose() + certificates.compactMap(\.self)
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
        guard reviews.isStored(app, in: catalog.identity) else {
            return gather { gathered in
                gathered.reviews.append((result, completion))
                if let result = result as? ReviewResult, result.question != .eligible, result.reasons.isEmpty {
                    gathered.hasGrant = true
                }
            }
        }
        if reviews.isBehind { gather { _ in } }
        publish()
        completion(.result(result))
    }

    // MARK: Commands that came together

    /// Commands that wait for the disk. Those that came together wait for it once: if each of a thousand did so by itself, others would
    /// have to wait for all of that.
    private struct Gathered {
        var reloads: [Command.Completion] = []
        var diagnoses: [Command.Completion] = []
        var reviews: [(result: any MethodResult, completion: Command.Completion)] = []

        /// Whether a grant waits, for which the history is written at once.
        var hasGrant = false
        /// Whether they will be answered when those that were handed over before have been carried out.
        var isPlanned = false
        /// Whether they will be answered when the history may be written again.
        var isDelayed = false
    }

    /// Lets a command wait until those that were handed over before have been carried out.
    private func gather(_ change: (inout Gathered) -> Void) {
        change(&gathered)
        guard !gathered.isPlanned else { return }
        gathered.isPlanned = true
        perform { plane in
            plane.gathered.isPlanned = false
            plane.answerGathered()
        }
    }

    private func answerGathered() {
        let reloads = gathered.reloads
        gathered.reloads = []
        if !reloads.isEmpty {
            let reply = reloaded()
            for completion in reloads { completion(reply) }
        }
        let diagnoses = gathered.diagnoses
        gathered.diagnoses = []
        if !diagnoses.isEmpty {
            let reply = Command.Reply.result(diagnose())
            for completion in diagnoses { completion(reply) }
        }
        guard !gathered.reviews.isEmpty || reviews.isBehind else { return }
        let delay = writePace.take(now: effects.uptime())
        if delay > 0, !gathered.hasGrant, life == .running { return answerLater(in: delay) }
        let taken = gathered
        (gathered.reviews, gathered.hasGrant) = ([], false)
        var failure: RequestError?
        do { try reviews.store() } catch { failure = error }
        publish()
        for (result, completion) in taken.reviews {
            completion(failure.map(Command.Reply.refused) ?? .result(result))
        }
    }

    private func answerLater(in delay: Milliseconds) {
        guard !gathered.isDelayed else { return }
        gathered.isDelayed = true
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)),
            execute: entry { plane in
                plane.gathered.isDelayed = false
                plane.answerGathered()
            })
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
        watchDropIns()
        // A person may have fixed it.
        if owner == nil { _ = try? reviews.prepare() }
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
        let nothing =
            catalog.isUnconfigured
            ? Unconfigured.text(hasOthers: !kept.others.isEmpty)
            : "The sample needs no refresh; \"promoctl setup https://…\" sets the address of your catalog."
        let broken = (catalog.error ?? configurationStatus.error).map {
            "Nothing is fetched while the configuration is broken. \($0)"
        }
        return RequestError(.noOrigin, broken ?? nothing)
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
        snapshot.catalog.aliases = kept.aliasesOfDefault
        if configurationStatus.error != nil { snapshot.catalog.isUnconfigured = false }
        snapshot.others = kept.others.map { catalog in
            var snapshot = catalogSnapshot(catalog.name)
            snapshot.file = catalog.file
            snapshot.aliases = catalog.aliases
            snapshot.error = catalog.problem ?? (isUnknown ? configurationStatus.error : nil)
            // Its clients may name it by its address even while it is not fetched.
            snapshot.refresh.url = catalog.configuration.url?.description
            snapshot.identity = catalog.configuration.url?.requestText ?? snapshot.identity
            return snapshot
        }
        snapshot.configuration = configurationStatus
        snapshot.reviewPolicy = configuration.review
        snapshot.reviews = owner == nil ? reviews.history : reviewReader.history
        snapshot.reviewsError = owner == nil ? reviews.problem : reviewReader.problem
        snapshot.reviewsCheckedAt = owner == nil ? reviewsCheckedAt : nil
        snapshot.owner = owner
        let before = publication.current.generations
        publication.publish(snapshot)
        if snapshot.generations != before {
            reviews.namesChanged()
            intakes.perform { Memory.giveBack() }
        }
        effects.notifier.status(StatusLine.text(snapshot, now: effects.now(), format: LocalTime.short))
    }

    private func catalogSnapshot(_ name: String) -> CatalogSnapshot {
        refreshers[name]?.snapshot ?? publication.current.catalog
    }
}

extension Snapshot {
    /// The generations that are served.
    fileprivate var generations: [String?] { catalogs.map { $0.served?.catalog.generation } }
}
