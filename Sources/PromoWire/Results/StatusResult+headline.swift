extension StatusResult {
    /// The state in one line for people: what is served, what comes next, and what is wrong. It has times rather than ages, so that it stays
    /// true without an update.
    /// - Parameter format: writes a time in the reader's zone.
    package func headline(format: (Timestamp) -> String) -> String {
        let next = catalogs.compactMap(\.nextAt).min().map { "next refresh \(format($0.roundedUpToSecond))" }
        let upcoming = catalogs.contains(where: \.isRefreshing) ? "fetching" : next
        let line = [served(format), upcoming].compactMap(\.self).joined(separator: ", ")
        guard let first = problems.first else { return line }
        let which = problems.count == 1 ? "problem" : "\(problems.count) problems, the first"
        return "\(line); \(which): \(first.text)"
    }

    private func served(_ format: (Timestamp) -> String) -> String {
        let apps = catalogs.reduce(0) { $0 + $1.apps }.counting("app")
        guard let only = catalogs.first, catalogs.count == 1 else {
            return catalogs.isEmpty ? "no catalog is configured" : "\(catalogs.count) catalogs with \(apps)"
        }
        return switch only.freshness.source {
        case .none: "no catalog yet"
        case .sample: "the sample of \(apps)"
        case .bundled: "\(apps) of the package's file, not fetched yet"
        case .origin: apps + (only.freshness.fetchedAt.map { ", fetched \(format($0))" } ?? "")
        }
    }
}
