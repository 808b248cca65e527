import Dispatch
import PromoCore
package import PromoWire

/// Which catalogs are kept, by the configuration and the drop-ins.
extension ControlPlane {
    /// Whether the configuration is broken, and has been since the start: then the cached catalogs are served whatever their
    /// addresses, and nothing is fetched.
    var isUnknown: Bool { configurationStatus.error != nil && !isConfigured }

    /// Gives each configured catalog a refresher with its settings, and stops the refreshers of all others.
    func assign(loadsCache: Bool = true) {
        if configurationStatus.error == nil { isConfigured = true }
        let before = kept
        kept = decideKept()
        (configurationStatus.ignored, configurationStatus.ignoredMore) = (kept.ignored.files, kept.ignored.more)
        shared.naming.isOn = !kept.others.isEmpty
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
            tendCaches()
        }
    }

    private func decideKept() -> KeptCatalogs {
        let cached = shared.caches.addressesInUse(kept.addresses)
        var dropIns = dropIns
        if isUnknown {
            // Those that may stand in the broken file: they have a cache and no drop-in.
            let known = Set(dropIns.catalogs.map(\.name)).union(dropIns.masked)
            dropIns.catalogs += Set(cached.keys).subtracting(known).sorted().map {
                NamedCatalog(name: $0, file: configurationStatus.file ?? "")
            }
        }
        return KeptCatalogs(
            default: configuration.catalog, tables: configuration.catalogs, dropIns: dropIns, before: kept,
            cached: cached)
    }

    /// Gives the catalogs' addresses what the review history has under their names, or under former addresses.
    private func carryReviews() {
        reviews.carry(out: kept.moves(default: configuration.catalog, had: shared.caches.addresses))
        if reviews.isBehind { gather { _ in } }
    }

    /// Logs which catalogs come and go, under which names, and what is wrong with drop-ins, unless it was before.
    func report(_ before: KeptCatalogs) {
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
            name, number: number, shared,
            enter: { [weak self] body in
                self?.perform { if let refresher = $0.refreshers[name, number] { body(refresher) } }
            },
            due: entry { $0.refreshDue(name, number) }, changed: { [unowned self] in publish() })
    }

    /// The time of a planned refresh has come. Before it begins, it is seen whether this promod still keeps the catalog.
    private func refreshDue(_ name: String, _ number: Int) {
        checkLock()
        readDropIns()
        refreshers[name, number]?.timerFired()
    }

    /// Tends the caches, and then the reviews: what a cache had that is removed now is nobody's any more.
    private func tendCaches() {
        // What is configured is not known while the configuration is broken.
        guard !isUnknown else { return }
        if owner == nil { shared.caches.tend(configured: Set(kept.others.map(\.name)), now: effects.clock.wall) }
        carryReviews()
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
        guard dropInWatch?.takeEvents() == true else { return }
        readDropIns(after: dropInPace.changed(now: effects.uptime()))
    }

    private func readDropIns(after delay: Milliseconds?) {
        guard let delay else { return }
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)), execute: entry { $0.readDropIns() })
    }

    /// Reads the drop-ins again, some of which may have come, changed or gone.
    func readDropIns() {
        guard case .running = life else { return }
        dropInPace.began(now: effects.uptime())
        watchDropIns()
        defer { dropInPace.ended(now: effects.uptime()) }
        let found = effects.loadDropIns()
        if found.isIncomplete { readDropIns(after: dropInPace.failed(now: effects.uptime())) }
        guard found != dropIns, !found.isIncomplete else { return tendCaches() }
        dropIns = found
        assign()
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

    func noOrigin(_ catalog: CatalogSnapshot) -> RequestError {
        let nothing =
            catalog.isUnconfigured
            ? Unconfigured.text(hasOthers: !kept.others.isEmpty)
            : "The sample needs no refresh; \"promoctl setup https://…\" sets the address of your catalog."
        let broken = (catalog.error ?? configurationStatus.error).map {
            "Nothing is fetched while the configuration is broken. \($0)"
        }
        return RequestError(.noOrigin, broken ?? nothing)
    }
}
