package import PromoWire

/// The daemon's state as one line for people. It has times rather than ages, so that it stays true without an update.
package enum StatusLine {
    /// The line for a snapshot; `format` writes a time in the reader's zone.
    package static func text(_ snapshot: Snapshot, now: Timestamp, format: (Timestamp) -> String) -> String {
        let line = snapshot.catalogs.count < 2 ? one(snapshot, now, format) : several(snapshot, now, format)
        return line + (snapshot.reviewsError.map { ", reviews: \($0)" } ?? "")
    }

    private static func one(_ snapshot: Snapshot, _ now: Timestamp, _ format: (Timestamp) -> String) -> String {
        let what = served(snapshot.catalog, now, format)
        if let error = snapshot.configuration.error { return "\(what), bad configuration: \(error)" }
        return [what, upcoming(snapshot.catalog, format), lastError(snapshot.catalog).map { "last error: \($0)" }]
            .compactMap(\.self).joined(separator: ", ")
    }

    private static func served(
        _ catalog: CatalogSnapshot, _ now: Timestamp, _ format: (Timestamp) -> String
    ) -> String {
        guard let served = catalog.served else {
            return catalog.isUnconfigured ? "No catalog is configured" : "no catalog yet"
        }
        let apps = served.catalog.count.counting("app")
        guard let fetchedAt = served.fetchedAt else {
            return catalog.isSample ? "the sample of \(apps)" : "\(apps) of the package's file, not fetched yet"
        }
        let cache = catalog.freshness(now: now).cachedSince.map {
            " from a cache that had it since \(format($0))"
        }
        return "\(apps), fetched \(format(fetchedAt))\(cache ?? "")"
            + (catalog.cache.isStored ? "" : ", not stored on disk")
    }

    private static func upcoming(_ catalog: CatalogSnapshot, _ format: (Timestamp) -> String) -> String? {
        if catalog.refresh.activity == .loading { return "fetching" }
        return catalog.refresh.nextAt.map { "next refresh \(format($0))" }
    }

    private static func lastError(_ catalog: CatalogSnapshot) -> String? {
        catalog.error ?? catalog.refresh.lastError?.message
    }

    // MARK: Several catalogs

    private static func several(_ snapshot: Snapshot, _ now: Timestamp, _ format: (Timestamp) -> String) -> String {
        let catalogs = snapshot.catalogs.filter {
            $0.served != nil || $0.refresh.url != nil || $0.error != nil
        }
        let listed = catalogs.map {
            "\($0.name) \($0.served.map { $0.catalog.count.counting("app") } ?? "none yet")\($0.isSample ? " (sample)" : "")"
        }
        let head = "\(catalogs.count.counting("catalog")): \(listed.joined(separator: ", "))"
        if let error = snapshot.configuration.error { return "\(head), bad configuration: \(error)" }
        let fetching = catalogs.filter { $0.refresh.activity == .loading }.map(\.name)
        let next = catalogs.compactMap { catalog in catalog.refresh.nextAt.map { (at: $0, name: catalog.name) } }.min {
            $0.at < $1.at
        }
        return [
            head, fetching.isEmpty ? nil : "fetching \(fetching.joined(separator: ", "))",
            next.map { "next refresh \(format($0.at)) (\($0.name))" },
            catalogs.lazy.compactMap { catalog in lastError(catalog).map { "error of \(catalog.name): \($0)" } }.first,
        ]
        .compactMap(\.self).joined(separator: ", ")
    }
}
