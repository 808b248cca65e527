import Dispatch
import Logging
import PromoCore
package import PromoWire

/// Which catalogs are kept, by the files of catalogs.
extension ControlPlane {
    /// The time after a change in a directory in which the file is written and the others of its package arrive.
    private static let settlingTime = DispatchTimeInterval.milliseconds(500)
    /// The time until another attempt if files could not be read for a temporary reason.
    private static let retryTime = DispatchTimeInterval.seconds(10)

    /// Gives each catalog a refresher with its settings, and stops the refreshers of all others.
    func assign() {
        if configurationStatus.error == nil { isConfigured = true }
        let before = roster
        roster = CatalogRoster(dropIns.entries, known: known)
        shared.naming.isOn = roster.catalogs.count > 1
        report(before)
        let assignments = roster.catalogs.compactMap {
            CatalogRefresher.Assignment(
                $0, configuration, environment: effects.environment, isFetched: isConfigured)
        }
        publishOnce {
            refreshers.assign(assignments, make: makeRefresher)
            keepCaches()
        }
    }

    /// Remembers what the names are, and removes caches that no file has named for long.
    private func keepCaches() {
        // A directory that cannot be read now may have files.
        guard !dropIns.isIncomplete else { return }
        let named = Set(roster.catalogs.compactMap(\.digest))
        shared.caches.prune(besides: named, now: effects.now())
        known = roster.known.keeping(named.union(shared.caches.digests))
        shared.caches.store(known)
    }

    /// The files that are not used, with their reasons.
    private var ignoredFiles: IgnoredFiles {
        var ignored = dropIns.ignored
        for entry in roster.refused {
            ignored.add(
                IgnoredFile(
                    file: entry.file ?? "",
                    error: "there are \(CatalogRoster.maximumCount) catalogs already, and promod keeps no more",
                    cause: .limit, catalog: entry.name))
        }
        return ignored
    }

    /// Logs which catalogs and names come and go, and the new problems of files.
    private func report(_ before: CatalogRoster) {
        let (ignored, old) = (ignoredFiles, configurationStatus.ignored)
        (configurationStatus.ignored, configurationStatus.ignoredMore) = (ignored.files, ignored.more)
        for file in ignored.files where !old.contains(file) { log.fileIgnored(file) }
        let (names, oldNames) = (roster.names, before.names)
        for name in oldNames where !names.contains(name) { log.nameDropped(name) }
        for name in names where !oldNames.contains(name) { log.nameKept(name) }
        guard roster != before || !hasReported else { return }
        hasReported = true
        if roster.catalogs.isEmpty {
            effects.logger.log(.notConfigured, "No catalog is configured; \"promoctl setup https://…\" sets one")
        } else if roster.catalogs.contains(where: \.isSample), !before.catalogs.contains(where: \.isSample) {
            effects.logger.log(.sampleServed, "The sample catalog is served, because the default catalog is \"sample\"")
        }
    }

    private func makeRefresher(_ number: Int, _ assignment: CatalogRefresher.Assignment) -> CatalogRefresher {
        let digest = assignment.digest
        return CatalogRefresher(
            number: number, assignment, shared,
            perform: { [weak self] body in
                self?.perform { if let refresher = $0.refreshers[digest, number] { body(refresher) } }
            },
            due: callback { $0.refreshDue(digest, number) }, changed: { [unowned self] in publish() })
    }

    /// Begins a planned refresh, after a look at the files of catalogs.
    private func refreshDue(_ digest: String, _ number: Int) {
        readDropIns()
        refreshers[digest, number]?.timerFired()
    }

    // MARK: Files of catalogs

    /// Watches the directories of catalogs' files that exist now.
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
                "A new or removed file of a catalog is noticed only at a reload or the next refresh: \(error)")
        }
    }

    /// Called after a change in a directory of catalogs' files, or in one above it.
    private func directoriesChanged() {
        if dropInWatch?.takeEvents() == true { readDropIns(after: Self.settlingTime) }
    }

    private func readDropIns(after delay: DispatchTimeInterval) {
        guard !isReadingPlanned else { return }
        isReadingPlanned = true
        executor.queue.asyncAfter(
            deadline: .now() + delay,
            execute: callback { plane in
                plane.isReadingPlanned = false
                plane.readDropIns()
            })
    }

    /// Reads the files of catalogs, and applies what has changed.
    func readDropIns() {
        guard case .running = life else { return }
        watchDropIns()
        let found = effects.loadDropIns()
        if found.isIncomplete {
            readDropIns(after: Self.retryTime)
        } else if found != dropIns {
            dropIns = found
            assign()
        } else {
            keepCaches()
        }
        publishOnce { refreshers.forEach { $0.checkBundled() } }
    }

    // MARK: Configuration

    /// Reads the configuration; a broken one leaves the old one in force. The files of catalogs count in either case.
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
            log.configurationBroken(error, hasOld: isConfigured)
            readDropIns()
            throw RequestError(.badConfiguration, error.description)
        }
    }

    func take(_ loaded: ConfigurationLoader.Loaded) {
        configuration = loaded.configuration
        configurationStatus.file = loaded.file
        configurationStatus.error = nil
        dropIns = loaded.dropIns
    }

    func noOrigin(_ catalog: CatalogSnapshot) -> RequestError {
        let nothing =
            catalog.isUnconfigured
            ? Unconfigured.text
            : "The sample needs no refresh; \"promoctl setup https://…\" sets the address of your catalog."
        let broken =
            catalog.error.map { "This catalog is not fetched while its file is broken. \($0)" }
            ?? configurationStatus.error.map { "Nothing is fetched while the configuration is broken. \($0)" }
        return RequestError(.noOrigin, broken ?? nothing)
    }
}
