import Dispatch
import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Keeps the configuration and the catalogs: reads the drop-ins, and gives each catalog a refresher. It belongs to the loop's
/// thread.
final class CatalogKeeper {
    private unowned let keeper: Keeper
    private let caches: CatalogCaches

    /// The configuration in force. What reads it where it is used follows a reload.
    private(set) var configuration = Configuration()
    /// What is wrong in the configuration as it is written.
    private(set) var configurationError: String?
    /// Whether everything was read once.
    private(set) var hasRead = false
    /// Whether a configuration has been in force.
    private(set) var isConfigured = false
    private(set) var roster = CatalogRoster([])
    /// The refreshers of all catalogs, by the digests of their addresses, and how many there were.
    private(set) var (refreshers, refresherCount): ([String: CatalogRefresher], Int) = ([:], 0)
    /// The files of the configuration as they were when they were read.
    private(set) var versions: [[UInt64]?]?
    /// The drop-ins that are not used.
    private(set) var ignored: [IgnoredFile] = []
    /// Why the directories of drop-ins are not watched; nil if they are.
    private(set) var unwatched: SystemError?
    private var dropInWatch: DropInWatch?
    private var dropIns = DropInCatalogs()
    /// Whether the drop-ins are being read, and whether they are read again soon.
    private var (isReading, isReadingPlanned) = (false, false)
    /// Whether the configuration is read again soon.
    private var isReloadPlanned = false
    /// The readings that follow.
    private var readings: [() -> Void] = []
    /// Whether it was logged which catalogs there are.
    private var hasReported = false

    init(_ keeper: Keeper, cache: PrivateDirectory) {
        self.keeper = keeper
        caches = CatalogCaches(in: cache)
    }

    private var effects: Keeper.Effects { keeper.effects }

    /// How long to wait after a change in a directory, so that the file is written and the others of its package arrive.
    private static let settlingTime = Milliseconds(500)
    /// The time until another attempt if files could not be read for a temporary reason.
    private static let retryTime = Milliseconds(10_000)

    /// What a job of the disk has read.
    private struct Reading: Sendable {
        /// The configuration; nil if only the drop-ins were read.
        var settings: Settings?
        var dropIns: DropInCatalogs
        /// What is on disk of the new catalogs, by digest.
        var loaded: [String: LoadedCatalog] = [:]
        /// The catalogs that packages bring for those that were never fetched, if they have changed.
        var bundled: [String: (BundledCatalog, HeldCatalog?)] = [:]
        /// The watch of the directories from before they were read; nil if there is none.
        var watch: DropInWatch?
        /// Why they are not watched; nil if they are.
        var unwatched: SystemError?
        var look: DiskLook.Findings?
    }

    /// What is read at a start and a reload.
    private struct Settings: Sendable {
        let configuration: Result<ConfigurationLoader.Loaded, BadConfiguration>
        /// The files of the configuration as they were before they were read.
        let versions: [[UInt64]?]?
    }

    /// Reads the drop-ins, applies what has changed, and calls back; readings follow each other.
    /// - Parameter configuration: gives the configuration, at a start and a reload.
    func read(
        _ configuration: (@Sendable (DropInCatalogs) -> Result<ConfigurationLoader.Loaded, BadConfiguration>)? = nil,
        then done: @escaping @Sendable (Keeper) -> Void = { _ in }
    ) {
        guard !isReading else { return readings.append { [unowned self] in read(configuration, then: done) } }
        isReading = true
        let lastWatch = dropInWatch
        unwatch()
        let (digests, logger) = (Set(refreshers.keys), effects.logger)
        // Those of the catalogs that were never fetched.
        let bundled = refreshers.compactMapValues { $0.isBundledServed ? $0.bundled : nil }
        keeper.disk.async {
            [
                inbox = keeper.inbox, effects, dropIns, caches, versions, places = keeper.problems.own.places, room,
                languages = keeper.lists.languages
            ] in
            var unwatched: SystemError?
            lastWatch?.end()
            var watch: DropInWatch?
            do throws(SystemError) {
                watch = effects.dropInDirectories.isEmpty ? nil : try DropInWatch(effects.dropInDirectories)
                unwatched = watch?.refusal
            } catch {
                unwatched = error
            }
            let settings = configuration.map {
                let versions = effects.look?.versions
                return Settings(configuration: $0(dropIns), versions: versions)
            }
            let configured = try? settings?.configuration.get()
            var reading = Reading(
                settings: settings, dropIns: configured?.dropIns ?? effects.loadDropIns(dropIns), watch: watch,
                unwatched: unwatched,
                look: effects.look?.findings(since: settings?.versions ?? versions, places, room: room))
            let catalogs = CatalogRoster(reading.dropIns.entries).catalogs
            for catalog in catalogs {
                guard let digest = catalog.digest else { continue }
                let log = CatalogLog(logger: logger, name: catalog.entry.name, isOneOfSeveral: catalogs.count > 1)
                if !digests.contains(digest) {
                    reading.loaded[digest] = LoadedCatalog(catalog, in: caches.cache(of: digest), languages, log)
                } else if var bundled = bundled[digest], !catalog.isSample || configured != nil,
                    // What came from a directory that cannot be read stays.
                    reading.dropIns.unreadable.isDisjoint(with: catalog.bundled.map(\.directory)),
                    bundled.renew(catalog.bundled)
                {
                    var held = bundled.load(log)
                    held?.catalog.makeLists(in: languages)
                    reading.bundled[digest] = (bundled, held)
                }
            }
            inbox.submit { [reading] in $0.catalogs.ended(reading, then: done) }
        }
    }

    private func ended(_ reading: Reading, then done: (Keeper) -> Void) {
        (isReading, hasRead) = (false, true)
        take(reading)
        done(keeper)
        if !isReading, !readings.isEmpty { readings.removeFirst()() }
    }

    private func take(_ reading: Reading) {
        guard keeper.isRunning else { return }
        if case .failure(let error) = reading.settings?.configuration, !isConfigured, !effects.servesBroken {
            return configurationError = error.description
        }
        watch(reading.watch, reading.unwatched)
        keeper.problems.take(reading.look)
        guard keeper.isRunning else { return }
        if let settings = reading.settings {
            versions = settings.versions
            take(settings.configuration)
        }
        let found = reading.dropIns
        if found.isIncomplete { readSoon(after: Self.retryTime) }
        // Other keys change what is done with the same files.
        let isNew = reading.settings != nil && configurationError == nil || !hasReported
        if isNew || found != dropIns {
            dropIns = found
            assign(reading.loaded)
        } else {
            pruneCaches()
        }
        keeper.publishOnce {
            for (digest, bundled) in reading.bundled { refreshers[digest]?.serve(bundled.0, bundled.1) }
            rest()
        }
    }

    /// Decides which catalogs of apps rest.
    func rest() {
        let resting = roster.resting(now: effects.now()) { refreshers[$0]?.schedule.record.askedAt }
        for (digest, refresher) in refreshers { refresher.rest(resting.contains(digest)) }
    }

    private func take(_ loaded: Result<ConfigurationLoader.Loaded, BadConfiguration>) {
        switch loaded {
        case .success(let loaded):
            (configuration, configurationError, isConfigured) = (loaded.configuration, nil, true)
            effects.configurationChanged(configuration)
        case .failure(let error):
            // What the system refused is tried again; what a person wrote stays as it is.
            if error.isTemporary {
                if !isReloadPlanned {
                    isReloadPlanned = true
                    keeper.loop.schedule(at: keeper.loop.now + Self.retryTime) { [unowned self] in
                        isReloadPlanned = false
                        reload()
                    }
                }
                if configurationError == error.description { return }
            }
            configurationError = error.description
            effects.logger.log(
                .configurationBroken,
                "The configuration is broken, and \(isConfigured ? "the old one stays" : "nothing is fetched"): \(error)",
                ["error": "bad-configuration"])
        }
    }

    /// Gives each catalog a refresher with its settings, and stops the refreshers of all others.
    private func assign(_ loaded: [String: LoadedCatalog]) {
        let before = roster
        roster = CatalogRoster(dropIns.entries)
        report(before)
        let assignments = roster.catalogs.compactMap {
            CatalogRefresher.Assignment(
                $0, of: roster, configuration, environment: effects.environment, isFetched: isConfigured)
        }
        keeper.publishOnce {
            for (digest, refresher) in refreshers where !assignments.contains(where: { $0.digest == digest }) {
                refreshers[digest] = nil
                refresher.stop()
            }
            for assignment in assignments {
                if let refresher = refreshers[assignment.digest] {
                    refresher.assign(assignment)
                } else if let loaded = loaded[assignment.digest] {
                    refresherCount += 1
                    let refresher = CatalogRefresher(number: refresherCount, assignment, loaded, keeper)
                    refreshers[assignment.digest] = refresher
                    refresher.start()
                }
            }
            pruneCaches()
        }
    }

    /// Removes caches that no drop-in has named for long.
    private func pruneCaches() {
        // A directory that cannot be read now may have files.
        guard dropIns.unreadable.isEmpty, !dropIns.isIncomplete else { return }
        keeper.disk.async { [caches, named = Set(roster.catalogs.compactMap(\.digest)), now = effects.now()] in
            caches.prune(besides: named, now: now)
        }
    }

    /// The drop-ins that are not used, with their reasons.
    private var ignoredFiles: [IgnoredFile] {
        let further = roster.refused.map { entry in
            IgnoredFile(
                file: entry.file ?? "",
                error: "there are \(CatalogRoster.maximumCount) catalogs already, and promod keeps no more",
                problem: .limit, catalog: entry.name)
        }
        return Array((dropIns.ignored + further).prefix(DropInCatalogs.maximumIgnored))
    }

    /// Logs the new problems of drop-ins, and what is served if that is not what a publisher sends.
    private func report(_ before: CatalogRoster) {
        let old = ignored
        ignored = ignoredFiles
        let logger = effects.logger
        for file in ignored where !old.contains(file) {
            logger.log(.dropInIgnored, file.text, ["file": "\(file.file)"])
        }
        for name in roster.names where !before.names.contains(name) {
            guard let error = name.error else { continue }
            logger.log(
                .configurationBroken, "\(name.name): The catalog is not fetched while its drop-in is broken: \(error)",
                ["catalog": "\(name.name)", "file": "\(name.file)", "error": "bad-configuration"])
        }
        guard roster != before || !hasReported else { return }
        hasReported = true
        if roster.catalogs.isEmpty {
            logger.log(.notConfigured, "No catalog is configured; \"promoctl setup https://…\" sets one")
        } else if let sample = roster.catalogs.first(where: \.isSample), !before.catalogs.contains(where: \.isSample) {
            logger.log(
                .sampleServed,
                sample.bundled.first.map { "The catalog \($0) is served for a test" }
                    ?? "The sample catalog is served, because the default catalog is \"sample\"")
        }
    }

    // MARK: When drop-ins are read again

    /// Takes the events of the directories of drop-ins.
    private func watch(_ watch: DropInWatch?, _ error: SystemError?) {
        dropInWatch = watch
        var error = error
        do throws(SystemError) {
            if let watch {
                try keeper.loop.add(watch.descriptor, for: .input) { [unowned self] _ in
                    if watch.takeEvents() { readSoon(after: Self.settlingTime) }
                }
            }
        } catch let refusal {
            error = refusal
        }
        if let error, unwatched == nil {
            effects.logger.log(
                .dropInsNotWatched,
                "A new or removed drop-in is noticed only at a reload or the next refresh: \(error)")
        }
        unwatched = error
    }

    /// Takes no more of them; the descriptor stays open.
    private func unwatch() {
        if let dropInWatch { keeper.loop.remove(dropInWatch.descriptor) }
        dropInWatch = nil
    }

    /// Notices what is mounted after the start, which no directory reports.
    func watchMounts() {
        guard effects.look != nil else { return }
        // The kernel reports a change as an error, once. A sandbox without /proc can do without.
        try? keeper.loop.add(FileSystem.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), for: []) {
            [unowned self] _ in
            readSoon(after: Self.settlingTime)
        }
    }

    private func readSoon(after delay: Milliseconds) {
        guard !isReadingPlanned else { return }
        isReadingPlanned = true
        keeper.loop.schedule(at: keeper.loop.now + delay) { [unowned self] in
            isReadingPlanned = false
            read()
        }
    }

    /// Reads the configuration and all drop-ins again; a broken configuration leaves the old one in force, but the drop-ins count.
    /// - Parameter done: called with what is wrong in the configuration; nil if it is in force.
    func reload(_ done: @escaping @Sendable (String?) -> Void = { _ in }) {
        // A keeper reads the configuration when it starts.
        guard keeper.isRunning else { return done(nil) }
        effects.notifier.reloading()
        keeper.reviews.read()
        readAll { keeper in
            let error = keeper.catalogs.configurationError
            keeper.effects.notifier.ready()
            if error == nil {
                keeper.effects.logger.log(.configurationReloaded, "The configuration was read again and is in force")
            }
            done(error)
        }
    }

    /// Reads the configuration and the drop-ins.
    private func readAll(then done: @escaping @Sendable (Keeper) -> Void) {
        read(
            { [effects] dropIns in Result { () throws(BadConfiguration) in try effects.loadConfiguration(dropIns) } },
            then: done)
    }

    // MARK: Life

    /// Reads everything for the first time.
    func start(then done: @escaping @Sendable (Keeper) -> Void) {
        watchMounts()
        readAll(then: done)
    }

    /// Cancels all fetches under way, answers all waiting clients, and fetches no more.
    func stop() {
        unwatch()
        refreshers.values.forEach { $0.stop() }
        refreshers = [:]
    }

    /// Whether a catalog or an icon is being fetched.
    var isFetching: Bool { refreshers.values.contains { $0.schedule.isFetching || $0.icons.isFetching } }

    /// Has each refresher do something.
    func forEach(_ body: (CatalogRefresher) -> Void) { refreshers.values.forEach(body) }

    /// The refresher of a published catalog; nil if nothing is kept of it.
    func refresher(of catalog: CatalogSnapshot) -> CatalogRefresher? { refreshers[catalog.identity] }

    // MARK: The snapshot

    /// The published states of all catalogs.
    var snapshots: [CatalogSnapshot] {
        roster.catalogs.map { catalog in
            let entry = catalog.entry
            var snapshot =
                catalog.digest.flatMap { refreshers[$0]?.snapshot } ?? CatalogSnapshot(name: entry.name)
            (snapshot.file, snapshot.fileID, snapshot.error) = (entry.file, entry.fileID, entry.problem)
            (snapshot.aliases, snapshot.hosts, snapshot.isOfPackage) = (
                catalog.aliases, catalog.hosts, entry.isOfPackage
            )
            return snapshot
        }
    }

    /// The room that the next write needs: that of the largest catalog, and some for all else, in bytes.
    var room: Int {
        (keeper.snapshot.catalogs.compactMap { $0.served?.contents?.bytes.count }.max() ?? 0) + DiskLook.room
    }
}
