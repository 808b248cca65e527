package import PromoWire

/// The daemon's state as one line for people. It has times rather than ages, so that it stays true without an update.
package enum StatusLine {
    /// The line for a snapshot; `format` writes a time in the reader's zone.
    package static func text(_ snapshot: Snapshot, format: (Timestamp) -> String) -> String {
        if let busy = snapshot.busy { return busy.message }
        let what = served(snapshot, format)
        if let error = snapshot.configuration.error { return "\(what), bad configuration: \(error)" }
        return [
            what, upcoming(snapshot, format), snapshot.catalog.refresh.lastError.map { "last error: \($0.message)" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }

    private static func served(_ snapshot: Snapshot, _ format: (Timestamp) -> String) -> String {
        guard let served = snapshot.catalog.served else { return "no catalog yet" }
        let count = served.catalog.count
        let apps = count == 1 ? "1 app" : "\(count) apps"
        guard let fetchedAt = served.fetchedAt else { return "sample catalog of \(apps), no catalog.url is configured" }
        return "\(apps), fetched \(format(fetchedAt))" + (snapshot.catalog.cache.isStored ? "" : ", not stored on disk")
    }

    private static func upcoming(_ snapshot: Snapshot, _ format: (Timestamp) -> String) -> String? {
        if snapshot.catalog.refresh.activity == .loading { return "fetching" }
        return snapshot.catalog.refresh.nextAt.map { "next refresh \(format($0))" }
    }
}
