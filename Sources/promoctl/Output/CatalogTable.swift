import CrossPromoKit
import PromoSystem
import PromoWire

/// The catalogs of a status, as a table for people: a row for each, and below it what is wrong.
struct CatalogTable {
    private let catalogs: [CatalogStatus]
    private let configuration: ConfigurationStatus

    init(_ status: StatusResult) {
        catalogs = status.catalogs
        configuration = status.configuration
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
            for alias in catalog.aliases {
                let problem = alias.error.map { ", which is broken: " + $0 } ?? ""
                lines += below(
                    "Also \(alias.name), by \(alias.file)\(problem)", isWarning: alias.error != nil, on: terminal)
            }
            if let problem = problem(of: catalog) { lines += below(problem, isWarning: true, on: terminal) }
        }
        for file in configuration.ignored { lines += self.lines(of: file, on: terminal) }
        if configuration.ignoredMore > 0 {
            let (count, verb) = (configuration.ignoredMore, configuration.ignoredMore == 1 ? "is" : "are")
            lines.append(Style.warning.applied(to: "… and \(count) more \(verb) not used", on: terminal))
        }
        return lines
    }

    private func below(_ text: String, isWarning: Bool, on terminal: Terminal) -> [String] {
        text.printable.indented(by: 4, in: terminal.columns.map { max($0, 24) }).map {
            isWarning ? Style.warning.applied(to: $0, on: terminal) : $0
        }
    }

    /// A file is hidden or shadowed on purpose; the other causes are warnings.
    private func lines(of file: IgnoredFile, on terminal: Terminal) -> [String] {
        let (word, isWarning) =
            switch file.cause {
            case .hidden: ("Hidden", false)
            case .shadowed: ("Shadowed", false)
            case .limit: ("No room", true)
            case .invalid: ("Ignored", true)
            }
        return "\(word): \(file.file): \(file.error)".printable.wrapped(to: terminal.columns).map {
            isWarning ? Style.warning.applied(to: $0, on: terminal) : $0
        }
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

    private func problem(of catalog: CatalogStatus) -> String? {
        if let error = catalog.error { return "\(error.sentence) \(BrokenFile.remedy(for: catalog.file))" }
        return catalog.refresh.lastError?.message ?? catalog.cache.error
    }
}
