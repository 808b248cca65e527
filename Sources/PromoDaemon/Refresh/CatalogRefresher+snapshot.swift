import PromoCore
import PromoWire

extension CatalogRefresher {
    var snapshot: CatalogSnapshot {
        var snapshot = CatalogSnapshot(name: name, cachePath: store.path)
        let last = assignment.isUnknown ? schedules.lastURL : nil
        let address = assignment.url ?? (held?.contents?.header.url).flatMap(HTTPSURL.init) ?? last
        snapshot.identity = assignment.isSample ? SampleCatalog.identity : address?.requestText ?? name
        snapshot.isUnknown = assignment.isUnknown && address == nil
        snapshot.served = held.map { CatalogSnapshot.Served($0) }
        snapshot.isUnconfigured = assignment.hasNoFile && !assignment.isSample
        snapshot.policy = assignment.policy
        snapshot.refresh = status
        machine.report(to: &snapshot.refresh, now: shared.effects.clock.now())
        snapshot.refresh.redirectedTo = held?.contents?.header.validators.address.flatMap(HTTPSURL.init)?.description
        if let url = assignment.url {
            snapshot.refresh.url = url.description
            snapshot.refresh.proxy = (proxy ?? assignment.proxies.used(nil))?.status
            snapshot.refresh.spread = assignment.policy.usableSpread
        }
        snapshot.departed = assignment.hasNoFile ? [:] : served.generations.departed
        snapshot.cache.isStored = held?.isStored ?? false
        snapshot.cache.error = store.problem ?? (assignment.trust == .anyone ? nil : shared.signatures.problem)
        snapshot.checkedAt = held?.contents == nil || assignment.isReading ? nil : checkedAt
        snapshot.icons = icons.snapshot
        return snapshot
    }
}
