import Dispatch
import Logging
import PromoCore
package import PromoWire

/// Which catalogs are kept, by the configuration and the drop-ins.
extension ControlPlane {
    /// Whether the configuration has been broken since the start: the cached catalogs are served whatever their addresses, and nothing is
    /// fetched.
    var isUnknown: Bool { configurationStatus.error != nil && !isConfigured }

    /// Gives each configured catalog a refresher with its settings, and stops the refreshers of all others.
    func assign() {
        if configurationStatus.error == nil { isConfigured = true }
        let before = kept
        kept = decideKept()
        (configurationStatus.ignored, configurationStatus.ignoredMore) = (kept.ignored.files, kept.ignored.more)
        shared.naming.isOn = !kept.others.isEmpty
        report(before)
        reportSource()
        var assignments = [
            CatalogReference.defaultName: CatalogRefresher.Assignment(
                configuration, configuration.catalog, isUnknown: isUnknown)
        ]
        for catalog in kept.others {
            let isUnknown = isUnknown || catalog.problem != nil
            var settings = catalog.configuration
            if isUnknown { settings.url = nil }
            assignments[catalog.name] = CatalogRefresher.Assignment(
                configuration, settings, isUnknown: isUnknown)
        }
        publishOnce {
            refreshers.assign(assignments, make: makeRefresher)
            pruneCaches()
        }
    }

    private func decideKept() -> KeptCatalogs {
        let cached = shared.caches.addressesInUse(kept.addresses)
        var dropIns = dropIns
        if isUnknown {
            // Catalogs with a cache and without a drop-in may be configured in the broken file.
            let known = Set(dropIns.catalogs.map(\.name)).union(dropIns.masked)
            dropIns.catalogs += Set(cached.keys).subtracting(known).sorted().map {
                NamedCatalog(name: $0, file: configurationStatus.file ?? "")
            }
        }
        return KeptCatalogs(
            default: configuration.catalog, tables: configuration.catalogs, dropIns: dropIns, before: kept,
            cached: cached)
    }

    /// Logs which catalogs and names come and go, and the new problems of drop-ins.
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

    /// Logs a change to the sample, or to no catalog.
    private func reportSource() {
        guard !isUnknown, configuration.catalog.source != lastSource else { return }
        lastSource = configuration.catalog.source
        switch configuration.catalog.source {
        case .unset where kept.others.isEmpty:
            effects.logger.log(.notConfigured, "No catalog is configured; \"promoctl setup https://…\" sets one")
        case .sample:
            effects.logger.log(.sampleServed, "The sample catalog is served, because catalog.url is \"sample\"")
        case .unset, .address: break
        }
    }

    private func makeRefresher(
        _ name: String, _ number: Int, _ assignment: CatalogRefresher.Assignment
    ) -> CatalogRefresher {
        CatalogRefresher(
            name, number: number, assignment, shared,
            perform: { [weak self] body in
                self?.perform { if let refresher = $0.refreshers[name, number] { body(refresher) } }
            },
            due: callback { $0.refreshDue(name, number) }, changed: { [unowned self] in publish() })
    }

    /// Begins a planned refresh, after a look at the drop-ins.
    private func refreshDue(_ name: String, _ number: Int) {
        readDropIns()
        refreshers[name, number]?.timerFired()
    }

    /// Prunes the caches.
    private func pruneCaches() {
        // A broken configuration does not say which catalogs are configured.
        guard !isUnknown else { return }
        shared.caches.prune(configured: Set(kept.others.map(\.name)), now: effects.now())
    }

    /// Watches the directories of drop-ins that exist now.
    private func watchDropIns() {
        guard !effects.dropInDirectories.isEmpty else { return }
        do throws(SystemError) {
            let watch =
                if let dropInWatch { dropInWatch } else {
                    try DropInWatch(
                        effects.dropInDirectories, queue: executor.queue, ready: callback { $0.directoriesChanged() })
                }
            try watch.renew()
            dropInWatch = watch
        } catch {
            dropInWatch = nil
            effects.logger.log(
                .dropInsNotWatched,
                "A new or removed catalog of a package is noticed only at a reload or the next refresh: \(error)")
        }
    }

    /// Called after a change in a directory of drop-ins, or in one above it.
    private func directoriesChanged() {
        guard dropInWatch?.takeEvents() == true else { return }
        readDropIns(after: dropInPace.changed(now: effects.uptime()))
    }

    private func readDropIns(after delay: Milliseconds?) {
        guard let delay else { return }
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)), execute: callback { $0.readDropIns() })
    }

    /// Reads the drop-ins, and applies what has changed.
    func readDropIns() {
        guard case .running = life else { return }
        dropInPace.began(now: effects.uptime())
        watchDropIns()
        defer { dropInPace.ended(now: effects.uptime()) }
        let found = effects.loadDropIns()
        if found.isIncomplete { readDropIns(after: dropInPace.failed(now: effects.uptime())) }
        guard found != dropIns, !found.isIncomplete else { return pruneCaches() }
        dropIns = found
        assign()
    }

    // MARK: Configuration

    /// Reads the configuration; a broken one leaves the old one in force.
    @discardableResult
    package func reload() throws(RequestError) -> ReloadResult {
        // A plane reads the configuration when it starts.
        guard case .running = life else { return ReloadResult() }
        effects.notifier.reloading()
        defer { effects.notifier.ready() }
        watchDropIns()
        readReviews()
        do {
            take(try effects.loadConfiguration())
            effects.configurationChanged(configuration)
            assign()
            effects.logger.log(
                .configurationReloaded, "The configuration was read again and is in force",
                ["file": "\(configurationStatus.file ?? "none")"])
            return ReloadResult()
        } catch {
            configurationStatus.error = error.description
            log.configurationBroken(error, hasOld: true)
            publish()
            throw RequestError(.badConfiguration, error.description)
        }
    }

    func take(_ loaded: ConfigurationLoader.Loaded) {
        configuration = loaded.configuration
        configurationStatus.file = loaded.file
        configurationStatus.error = nil
        catalogFile = loaded.catalogFile
        dropIns = loaded.dropIns
    }

    func noOrigin(_ catalog: CatalogSnapshot) -> RequestError {
        let nothing =
            catalog.isUnconfigured
            ? Unconfigured.text(hasOthers: !kept.others.isEmpty)
            : "The sample needs no refresh; \"promoctl setup https://…\" sets the address of your catalog."
        let broken =
            configurationStatus.error.map { "Nothing is fetched while the configuration is broken. \($0)" }
            ?? catalog.error.map { "This catalog is not fetched while its file is broken. \($0)" }
        return RequestError(.noOrigin, broken ?? nothing)
    }
}
