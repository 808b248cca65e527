import Dispatch
package import Logging
import PromoCore
package import PromoWire

/// Performs what the refresh machine decides: fetches, validates, writes and publishes, all on one private queue.
package actor RefreshPlane {
    /// What a plane reaches the world through.
    package struct Effects: Sendable {
        package var origin: any Origin
        package var now: @Sendable () -> Timestamp
        /// Whether the kernel has a route to a global address.
        package var isOnline: @Sendable () -> Bool
        package var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// Called with each configuration that comes into force after the start.
        package var configurationChanged: @Sendable (Configuration) -> Void
        package var notifier: Notifier
        package var logger: Logger

        /// The ways into the world.
        package init(
            origin: any Origin, now: @escaping @Sendable () -> Timestamp, isOnline: @escaping @Sendable () -> Bool,
            loadConfiguration: @escaping @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded,
            configurationChanged: @escaping @Sendable (Configuration) -> Void, notifier: Notifier, logger: Logger
        ) {
            self.origin = origin
            self.now = now
            self.isOnline = isOnline
            self.loadConfiguration = loadConfiguration
            self.configurationChanged = configurationChanged
            self.notifier = notifier
            self.logger = logger
        }
    }

    /// The configuration that a plane starts with.
    package enum InitialConfiguration: Sendable {
        case loaded(ConfigurationLoader.Loaded)
        /// It is broken: the cached catalog is served whatever its URL, and nothing is fetched until a reload succeeds.
        case broken(BadConfiguration, file: String)

        /// What is in force: the defaults, where it is broken.
        package var configuration: Configuration {
            switch self {
            case .loaded(let loaded): loaded.configuration
            case .broken: Configuration()
            }
        }
    }

    private typealias Machine = RefreshMachine<SystemRandomNumberGenerator>

    /// A catalog with what its file says of it; the sample has no contents.
    private struct Held {
        var catalog: PreparedCatalog
        var contents: CatalogFile.Contents?
        var isStored: Bool
    }

    nonisolated private let executor = QueueExecutor(label: "promod.refresh")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let effects: Effects
    private let publication: Publication
    private let directory: PrivateDirectory
    private let catalogFile: CatalogFile
    private let scheduleFile: ScheduleFile

    private var lock: LockFile?
    private var configuration = Configuration()
    private var configurationStatus = ConfigurationStatus()
    private var machine: Machine
    private var held: Held?
    private var savedSchedule = RefreshSchedule()
    private var timer: RefreshTimer?
    private var routeWatch: RouteWatch?
    private var giveUpFetch: (@Sendable () -> Void)?
    private var refreshWaiters: [@Sendable (Reply) -> Void] = []
    private var fetchWaiters: [@Sendable (Reply) -> Void] = []

    /// A plane that does nothing yet.
    package init(effects: Effects, publication: Publication, directory: PrivateDirectory) {
        self.effects = effects
        self.publication = publication
        self.directory = directory
        catalogFile = CatalogFile(directory: directory)
        scheduleFile = ScheduleFile(directory: directory)
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
        switch initial {
        case .loaded(let loaded):
            configurationStatus = ConfigurationStatus(file: loaded.file)
        case .broken(let problems, let file):
            configurationStatus = ConfigurationStatus(file: file, error: problems.description)
            logBroken(problems)
        }
        held = loadHeld()
        let (schedule, problem) = scheduleFile.read()
        if let problem {
            effects.logger.warning(
                "The refresh schedule is forgotten: \(problem)", metadata: ["event": "schedule-unreadable"])
        }
        savedSchedule = schedule
        machine = Machine(
            policy: configuration.refresh, hasOrigin: configuration.catalogURL != nil, fetchedAt: heldFetchedAt,
            schedule: schedule, now: effects.now(), generator: SystemRandomNumberGenerator())
        timer = RefreshTimer(queue: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        watchRoutes()
        if configuration.catalogURL == nil && configurationStatus.error == nil {
            effects.logger.notice(
                "No catalog.url is configured, so the sample catalog is served", metadata: ["event": "sample-served"])
        }
        settle()
    }

    /// Gives a fetch up, answers everybody who waits, and fetches no more.
    package func stop() {
        machine.stopped(now: effects.now())
        abandonFetch()
        timer = nil
        routeWatch = nil
        saveSchedule()
        publish()
        let failure = Failure(.connect, "promod is stopping, and gave the fetch up.")
        answerWaiters(RefreshResult(outcome: .failed, generation: held?.catalog.generation, error: failure))
    }

    private var isRunning: Bool { timer != nil }

    private func watchRoutes() {
        do {
            routeWatch = try RouteWatch(queue: executor.queue) { [weak self] in
                self?.assumeIsolated { $0.networkAppeared() }
            }
        } catch {
            effects.logger.notice(
                "A network that comes back will not be noticed, and a retry waits for its time: \(error)",
                metadata: ["event": "route-watch-failed"])
        }
    }

    // MARK: Requests

    /// What the plane answers to a request that the query plane cannot answer alone.
    package enum Reply: Sendable {
        case refreshed(RefreshResult)
        case cleared
        case reloaded
        case refused(RequestError)
        /// No fetch is under way any more; the request can be answered from what is published.
        case fetchEnded
    }

    /// Carries out a request; the completion is called on this plane's queue, at once or when a fetch has ended.
    package func carryOut(_ request: Request, completion: @escaping @Sendable (Reply) -> Void) {
        guard isRunning else {
            return completion(.refused(RequestError(.busy, "promod is starting or stopping; try again in a moment.")))
        }
        switch request {
        case .refresh(let parameters): refresh(wait: parameters.wait, completion: completion)
        case .clear: completion(clear())
        case .reload: completion(reload())
        case .list, .tap, .impression, .status:
            if machine.fetching == nil { completion(.fetchEnded) } else { fetchWaiters.append(completion) }
        }
    }

    /// Fetches now; the completion gets the outcome when the fetch has ended, or at once where there is none.
    private func refresh(wait: Bool, completion: @escaping @Sendable (Reply) -> Void) {
        let generation = held?.catalog.generation
        switch machine.refreshRequested(now: effects.now()) {
        case .refuse:
            completion(.refused(noOrigin))
            return
        case .throttle(let until):
            completion(.refreshed(RefreshResult(outcome: .throttled, generation: generation, retryAt: until)))
            return
        case .join:
            break
        case .fetch(let id):
            fetch(id)
        }
        if wait {
            refreshWaiters.append(completion)
        } else {
            completion(.refreshed(RefreshResult(outcome: .started, generation: generation)))
        }
        settle()
    }

    /// Somebody was answered from an expired catalog.
    package func expiredCatalogServed() {
        perform(machine.expiredCatalogServed(now: effects.now()))
        settle()
    }

    /// Forgets the cached catalog, in memory and on disk.
    private func clear() -> Reply {
        guard configuration.catalogURL != nil || held?.contents != nil else { return .cleared }
        abandonFetch()
        machine.cleared(now: effects.now())
        held = nil
        do {
            try catalogFile.remove()
            effects.logger.notice("The cached catalog was cleared on request", metadata: ["event": "cache-cleared"])
        } catch {
            effects.logger.error(
                "The cached catalog was cleared in memory, and is still on disk: \(error)",
                metadata: ["event": "storage-failed", "error": "storage"])
        }
        settle()
        answerWaiters(RefreshResult(outcome: .throttled, generation: nil, retryAt: machine.next?.at))
        return .cleared
    }

    /// Reads the configuration again; a bad one leaves the old one in force.
    @discardableResult
    package func reload() -> Reply {
        // A plane that has not started reads the configuration when it does.
        guard isRunning else { return .reloaded }
        effects.notifier.reloading()
        defer { effects.notifier.ready() }
        do {
            let loaded = try effects.loadConfiguration()
            apply(loaded)
            effects.logger.info(
                "The configuration was read again and is in force",
                metadata: ["event": "configuration-reloaded", "file": "\(loaded.file ?? "none")"])
            return .reloaded
        } catch {
            configurationStatus.error = error.description
            if configurationStatus.file == nil { configurationStatus.file = error.problems.first?.place }
            logBroken(error)
            settle()
            return .refused(RequestError(.badConfiguration, error.description))
        }
    }

    private var noOrigin: RequestError {
        RequestError(
            .noOrigin,
            configurationStatus.error.map { "Nothing is fetched while the configuration is broken. \($0)" }
                ?? "No catalog URL is configured, and the sample needs no refresh. Set catalog.url in config.toml, then reload."
        )
    }

    // MARK: Events

    private func timerFired() {
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
        let old = configuration
        configuration = loaded.configuration
        configurationStatus = ConfigurationStatus(file: loaded.file)
        let url = configuration.catalogURL?.normalized
        let isSameOrigin =
            url != nil && held?.contents?.header.url == url
            || url == old.catalogURL?.normalized
        if !isSameOrigin || held == nil {
            if !isSameOrigin { abandonFetch() }
            held = loadHeld()
        }
        machine.configured(
            configuration.refresh, hasOrigin: url != nil, keepsCatalog: isSameOrigin, fetchedAt: heldFetchedAt,
            now: effects.now())
        effects.configurationChanged(configuration)
        if !isSameOrigin {
            let failure = Failure(.connect, "The configuration changed, and the fetch was given up.")
            answerWaiters(RefreshResult(outcome: .failed, generation: held?.catalog.generation, error: failure))
        }
        settle()
    }

    // MARK: Fetching

    private func fetch(_ id: Machine.FetchID) {
        guard let url = configuration.catalogURL else { return }
        let request = OriginRequest(
            url: url, validators: held?.contents?.header.validators ?? Validators(), caFile: configuration.caFile,
            maximumBytes: configuration.maximumBytes, timeout: configuration.timeout)
        effects.logger.debug("Fetching \(url)", metadata: ["event": "fetch-started", "url": "\(url)"])
        giveUpFetch = effects.origin.fetch(request) { [weak self] reply in
            self?.perform { $0.fetchEnded(id, reply, from: url) }
        }
    }

    private func abandonFetch() {
        giveUpFetch?()
        giveUpFetch = nil
    }

    private func fetchEnded(_ id: Machine.FetchID, _ reply: OriginReply, from url: HTTPSURL) {
        guard machine.fetching == id else { return }
        giveUpFetch = nil
        let now = effects.now()
        var result = RefreshResult(outcome: .failed, generation: nil)
        switch accept(reply, from: url, now: now) {
        case .success(let outcome):
            result.outcome = outcome
            result.error = storeHeld()
            _ = machine.fetchEnded(id, outcome == .updated ? .updated : .unchanged, now: now)
        case .failure(let failure):
            result.error = failure
            _ = machine.fetchEnded(id, end(for: reply, failure, now: now), now: now)
            result.retryAt = machine.next?.at
        }
        result.generation = held?.catalog.generation
        settle()
        log(result, reply)
        answerWaiters(result)
    }

    /// Takes over what an origin sent, where it is a catalog.
    private func accept(
        _ reply: OriginReply, from url: HTTPSURL, now: Timestamp
    ) -> Result<RefreshResult.Outcome, Failure> {
        switch reply {
        case .failed(let failure, _, _):
            return .failure(failure)
        case .notModified(let validators):
            guard var contents = held?.contents else {
                return .failure(Failure(.httpStatus, "\(url) answers 304, unchanged, and there is nothing to keep."))
            }
            contents.header.fetchedAt = now
            if !validators.isEmpty { contents.header.validators = validators }
            held?.contents = contents
            return .success(.unchanged)
        case .body(let bytes, let validators):
            let digest = CatalogDigest(of: bytes)
            let header = CatalogFile.Header(
                url: url.normalized, validators: validators, fetchedAt: now, sha256: digest.hexadecimal)
            let contents = CatalogFile.Contents(header: header, bytes: bytes)
            if held?.contents?.header.sha256 == digest.hexadecimal {
                held?.contents = contents
                return .success(.unchanged)
            }
            do {
                let catalog = PreparedCatalog(try AppCatalog(bytes), generation: digest.generation)
                held = Held(catalog: catalog, contents: contents, isStored: false)
                return .success(.updated)
            } catch {
                return .failure(error.failure)
            }
        }
    }

    private func end(for reply: OriginReply, _ failure: Failure, now: Timestamp) -> Machine.FetchEnd {
        var retryAfter: Duration?
        if case .failed(_, _, let value?) = reply { retryAfter = RetryAfter.delay(value, now: now) }
        let isUnreachable = failure.code == .dns || failure.code == .connect
        return .failed(failure, retryAfter: retryAfter, isOffline: isUnreachable && !effects.isOnline())
    }

    /// Writes the catalog that is held; what the disk refuses is served from memory.
    private func storeHeld() -> Failure? {
        guard let contents = held?.contents else { return nil }
        do {
            try catalogFile.replace(with: contents)
            held?.isStored = true
            return nil
        } catch {
            held?.isStored = false
            effects.logger.error(
                "The catalog is served from memory, because the disk refuses it: \(error)",
                metadata: ["event": "storage-failed", "error": "storage"])
            return Failure(.storage, "The catalog is served from memory, because the disk refuses it: \(error).")
        }
    }

    private func answerWaiters(_ result: RefreshResult) {
        let (refreshWaiters, fetchWaiters) = (refreshWaiters, fetchWaiters)
        self.refreshWaiters = []
        self.fetchWaiters = []
        for waiter in refreshWaiters { waiter(.refreshed(result)) }
        for waiter in fetchWaiters { waiter(.fetchEnded) }
    }

    // MARK: The cache

    private var heldFetchedAt: Timestamp? { held?.contents?.header.fetchedAt }

    /// What can be served without a fetch: the cached catalog where it belongs to the URL, the sample where there is no URL.
    private func loadHeld() -> Held? {
        let url = configuration.catalogURL
        guard url != nil || configurationStatus.error != nil else { return sample() }
        switch catalogFile.read() {
        case .missing:
            return nil
        case .contents(let contents):
            guard url == nil || contents.header.url == url?.normalized else {
                effects.logger.info(
                    "The cached catalog belongs to another URL and is not served", metadata: ["event": "cache-foreign"])
                return nil
            }
            return prepare(contents)
        case .damaged(let reason, let path):
            effects.logger.warning(
                "The cached catalog is damaged: \(reason). It was set aside as \(path ?? "nothing, which failed") and is not served",
                metadata: ["event": "cache-damaged", "error": "storage"])
            return nil
        case .unreadable(let error):
            effects.logger.error(
                "The cached catalog is not served: \(error)",
                metadata: ["event": "cache-unreadable", "error": "storage"])
            return nil
        }
    }

    private func prepare(_ contents: CatalogFile.Contents) -> Held? {
        do {
            let catalog = try AppCatalog(contents.bytes)
            let generation = String(contents.header.sha256.prefix(16))
            return Held(
                catalog: PreparedCatalog(catalog, generation: generation), contents: contents, isStored: true)
        } catch {
            effects.logger.warning(
                "The cached catalog is whole and breaks today's rules, so it is not served: \(error.failure.message)",
                metadata: ["event": "cache-invalid", "error": "\(error.failure.code.rawValue)"])
            return nil
        }
    }

    private func sample() -> Held? {
        let bytes = SampleCatalog.bytes
        guard let catalog = try? AppCatalog(bytes) else { return nil }
        return Held(
            catalog: PreparedCatalog(catalog, generation: CatalogDigest(of: bytes).generation), contents: nil,
            isStored: false)
    }

    // MARK: After each event

    /// Brings timer, disk and publication in line with what the machine decided.
    private func settle() {
        if let next = machine.next {
            timer?.schedule(at: next.at, now: effects.now())
        } else {
            timer?.cancel()
        }
        saveSchedule()
        publish()
    }

    private func saveSchedule() {
        // Only what a restart has to respect; a daemon that never fetches writes nothing.
        guard machine.schedule != savedSchedule, machine.fetching == nil else { return }
        do {
            try scheduleFile.replace(with: machine.schedule)
            savedSchedule = machine.schedule
        } catch {
            effects.logger.warning(
                "A restart may forget the backoff: \(error)", metadata: ["event": "storage-failed", "error": "storage"])
        }
    }

    private func publish() {
        let now = effects.now()
        var snapshot = Snapshot(cachePath: catalogFile.path)
        snapshot.served = held.map { Snapshot.Served(catalog: $0.catalog, fetchedAt: $0.contents?.header.fetchedAt) }
        snapshot.policy = configuration.refresh
        snapshot.refresh.url = configuration.catalogURL?.description
        snapshot.refresh.activity = machine.fetching == nil ? .idle : .loading
        snapshot.refresh.nextAt = machine.next?.at
        snapshot.refresh.reason = (machine.next?.reason ?? .none).rawValue
        snapshot.refresh.attempt = machine.schedule.attempt
        snapshot.refresh.lastAttemptAt = machine.schedule.lastAttemptAt
        snapshot.refresh.lastOutcome = machine.schedule.lastOutcome
        snapshot.refresh.lastError = machine.schedule.lastError
        snapshot.refreshAllowedAt = machine.refreshAllowedAt(now: now)
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.configuration = configurationStatus
        publication.publish(snapshot)
        effects.notifier.status(StatusLine.text(snapshot, format: LocalTime.short))
    }

    // MARK: Log

    private func log(_ result: RefreshResult, _ reply: OriginReply) {
        var metadata: Logger.Metadata = [
            "event": "refresh-\(result.outcome.rawValue)", "generation": "\(result.generation ?? "")",
            "attempt": "\(machine.schedule.attempt)", "next-refresh": "\(machine.next?.at.rfc3339 ?? "")",
        ]
        if let error = result.error { metadata["error"] = "\(error.code.rawValue)" }
        if case .failed(_, let status?, _) = reply { metadata["http-status"] = "\(status)" }
        let next = machine.next.map { ", next refresh \(LocalTime.short($0.at))" } ?? ""
        switch result.outcome {
        case .updated:
            metadata["http-status"] = "200"
            effects.logger.info(
                "The catalog was updated: \(held?.catalog.apps.count ?? 0) apps, generation \(result.generation ?? "none")\(next)",
                metadata: metadata)
        case .unchanged:
            if case .notModified = reply { metadata["http-status"] = "304" } else { metadata["http-status"] = "200" }
            effects.logger.info("The catalog is unchanged\(next)", metadata: metadata)
        case .failed, .throttled, .started:
            let kept = held == nil ? "there is no catalog to serve" : "the catalog at hand is kept"
            effects.logger.warning(
                "The refresh failed, and \(kept): \(result.error?.message ?? "")\(next)", metadata: metadata)
        }
    }

    private func logBroken(_ problems: BadConfiguration) {
        effects.logger.error(
            "The configuration is broken, and the old one stays: \(problems)",
            metadata: ["event": "configuration-broken", "error": "bad-configuration"])
    }
}
