import CrossPromoKit
import PromoProcess
import PromoWire

/// The catalogs of a status, as a table for people: a row for each, and below it what is wrong.
struct CatalogTable {
    private let catalogs: [CatalogStatus]
    private let ignored: [IgnoredFile]

    init(_ status: StatusResult) {
        catalogs = status.catalogs
        ignored = status.configuration.ignored
    }

    /// The table's lines.
    /// - Parameter hasFiles: whether there is a column for the file that configures the catalog.
    func lines(on terminal: Terminal, now: Timestamp, hasFiles: Bool) -> [String] {
        let lines = table(on: terminal, now: now, hasFiles: hasFiles)
        guard let columns = terminal.columns, hasFiles else { return lines }
        let widest = table(on: Terminal(), now: now, hasFiles: true).map(\.displayWidth).max() ?? 0
        // Where there is no room for the files, each stands below its catalog.
        return widest <= columns ? lines : table(on: terminal, now: now, hasFiles: false, filesBelow: true)
    }

    private func table(
        on terminal: Terminal, now: Timestamp, hasFiles: Bool, filesBelow: Bool = false
    ) -> [String] {
        let titles = ["NAME", "STATE", "APPS", "AGE", "NEXT"] + (hasFiles ? ["FILE"] : [])
        let rows = catalogs.map { cells($0, now: now, hasFile: hasFiles) }
        let widths = titles.indices.map { column in
            ([titles] + rows).map { $0[column].displayWidth }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells.dropLast(), widths).map { $0.fitted(to: $1) }
            return (padded + cells.suffix(1)).joined(separator: "  ")
        }
        var lines = [Style.label.applied(to: line(titles), on: terminal)]
        for (catalog, row) in zip(catalogs, rows) {
            lines.append(line(row))
            if filesBelow, let file = catalog.file { lines.append("    " + file.printable) }
            guard let problem = problem(of: catalog, now: now) else { continue }
            lines += problem.printable.wrapped(to: terminal.columns.map { max($0 - 4, 20) }).map {
                "    " + Style.warning.applied(to: $0, on: terminal)
            }
        }
        for file in ignored {
            lines += "Ignored: \(file.file): \(file.error)".printable.wrapped(to: terminal.columns).map {
                Style.warning.applied(to: $0, on: terminal)
            }
        }
        return lines
    }

    private func cells(_ catalog: CatalogStatus, now: Timestamp, hasFile: Bool) -> [String] {
        let next =
            catalog.refresh.activity == .loading
            ? "now" : catalog.refresh.nextAt.map { LocalTime.short($0, now: now) } ?? "-"
        return [
            catalog.name, state(catalog), catalog.freshness.generation == nil ? "-" : String(catalog.apps),
            catalog.freshness.originAt.map { Age.text(now - $0) } ?? "-", next,
        ].map(\.printable) + (hasFile ? [catalog.file?.printable ?? "-"] : [])
    }

    private func state(_ catalog: CatalogStatus) -> String {
        if catalog.error != nil { return "broken" }
        switch catalog.freshness.state {
        case .loaded: return catalog.freshness.source == .sample ? "sample" : "fresh"
        case .cached: return "expired"
        case .loading: return "fetching"
        case .empty: return catalog.freshness.isUnconfigured ? "not set" : "empty"
        }
    }

    private func problem(of catalog: CatalogStatus, now: Timestamp) -> String? {
        if let error = catalog.error { return "\(error.sentence) Fix it, and then: promoctl reload" }
        return catalog.freshness.warning(now: now) ?? catalog.refresh.lastError?.message ?? catalog.cache.error
    }
}
