package import PromoWire

/// The published state of one catalog: what is served, and what its refresher does.
package struct CatalogSnapshot: Sendable {
    /// The catalog's name.
    package var name: String
    /// The other names under which clients find it.
    package var aliases: [CatalogAlias] = []
    /// Its directory in the cache, which identifies it under all its names; its name for a broken file that was never valid.
    package var identity: String
    /// Its address without user and password; nil if none is known.
    package var address: String?
    /// The ids of the apps whose catalog it is.
    package var hosts: [String] = []
    /// The path of the file that configures it; nil if none does.
    package var file: String?
    /// The device and the number of that file; nil if they are not known.
    package var fileID: String?
    /// Whether the drop-in came with a package.
    package var isOfPackage = false
    /// The error in the file, so that the catalog is not fetched; nil without one.
    package var error: String?
    /// nil if there is nothing to serve.
    package var served: HeldCatalog?
    /// Whether it stands for the lack of any catalog.
    package var isUnconfigured = false
    /// Decides when the origin is asked.
    package var schedule = RefreshSchedule(
        policy: RefreshPolicy(), hasOrigin: false, held: .nothing, now: Timestamp(seconds: 0))
    /// The origin's address as it is shown, without query; nil if none is known.
    package var url: String?
    /// Whether requests to the origin may go through a proxy, which is a way out for a machine without a default route.
    package var hasProxy = false
    /// How many attempts have begun since the daemon started.
    package var attempts = 0
    /// The path of the file in the cache, and what is wrong with it; nil if nothing is.
    package var cachePath = ""
    package var storage: String?
    /// The file of a list for the time before the first fetch, and what is wrong in it; nil if nothing is.
    package var bundledProblem: (file: String, text: String)?
    /// The pictures; nil until a client has asked for some, now or before a restart.
    package var icons: IconSnapshot?

    /// Creates the state before anything is read or fetched.
    package init(name: String = CatalogReference.defaultName) {
        self.name = name
        identity = name
    }

    /// Whether a proxy is configured through which the last fetch could connect, if there was one.
    var isProxied: Bool { hasProxy && schedule.record.lastError?.code != .proxy }

    /// Whether the sample is served.
    package var isSample: Bool { served?.source == .sample }

    /// The freshness of the served catalog.
    package func freshness(now: Timestamp) -> Freshness {
        guard let served else {
            return Freshness(
                state: schedule.isFetchNear(now: now) ? .loading : .empty, source: .none, generation: nil)
        }
        // The time of the fetch is not known either if the clock was ahead then, or is behind now.
        guard let fetchedAt = served.fetchedAt, fetchedAt.isBelievable(now: now) else {
            return Freshness(
                state: [.sample, .file].contains(served.source) ? .fresh : .expired, source: served.source,
                generation: served.catalog.generation)
        }
        let expiry = fetchedAt + schedule.policy.interval
        return Freshness(
            state: now >= expiry ? .expired : .fresh, source: .origin, generation: served.catalog.generation,
            fetchedAt: served.originAt, expiresAt: expiry)
    }

    /// The catalog's part of `status`.
    /// - Parameter asked: the name whose file is reported; nil for the first.
    package func status(now: Timestamp, of asked: CatalogReference? = nil) -> CatalogStatus {
        var status = CatalogStatus()
        (status.names, status.url, status.attempts) = ([name] + aliases.map(\.name), url, attempts)
        let alias = aliases.first { asked == .name($0.name) }
        (status.file, status.fileID) = alias.map { ($0.file, $0.fileID) } ?? (file, fileID)
        (status.freshness, status.apps) = (freshness(now: now), served?.catalog.count ?? 0)
        (status.isRefreshing, status.nextAt) = (schedule.isFetching, schedule.next?.at)
        status.nextReason = Growing(schedule.isResting ? .resting : schedule.next?.reason ?? .none)
        if schedule.isResting, status.freshness.state == .loading { status.freshness.state = .empty }
        let record = schedule.record
        (status.failures, status.lastAttemptAt) = (record.failures, record.lastAttemptAt)
        (status.lastOutcome, status.lastError) = (record.lastOutcome, record.lastError?.code)
        return status
    }

    /// Whether a name is its first one or one of its others.
    func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains { $0.name == name } }

    /// Whether a list can wait for a newer catalog: what is served has expired, and a fetch is under way or may begin.
    func awaitsFetch(now: Timestamp) -> Bool {
        schedule.isExpired(now: now) && (schedule.isFetchNear(now: now) || schedule.mayBegin(now: now))
    }

    /// Why there is no catalog, or no newer one than the expired one.
    func failure(now: Timestamp) -> Failure? {
        guard freshness(now: now).state != .fresh else { return nil }
        let problem = problems(now: now).first { $0.code != .expired && $0.code != .moved }
        return problem.map { Failure($0.code, $0.text) }
    }

    /// Why the cached catalog may be the only copy, so that it is cleared only on demand; nil if promod can probably fetch another.
    package func loss(isOnline: Bool) -> String? {
        let reason: String
        switch (served?.source, schedule.record.lastOutcome) {
        case (.origin, _) where !schedule.hasOrigin: reason = "promod does not fetch it now"
        case (.origin, .updated), (.origin, .unchanged):
            guard !isOnline else { return nil }
            reason = "promod is offline"
        case (.origin, _): reason = "The last fetch failed"
        default: return nil
        }
        let apps = (served?.catalog.count ?? 0).counting("app")
        return "\(reason), so this removes the only copy of the catalog \(name) (\(apps))."
    }

    /// Whether a manual retry is useful now, because nothing is served, and when promod itself retries.
    package func retry(now: Timestamp) -> (canRetry: Bool, at: Timestamp?) {
        guard served == nil, !schedule.isFetchNear(now: now), schedule.hasOrigin else { return (false, nil) }
        return (true, schedule.next?.at)
    }
}
