import CrossPromoKit
import FoundationEssentials
import Glibc
import PromoSystem
import PromoWire

/// A status, as text for people: the problems, the catalogs with their names and addresses, the next request.
struct StatusReport {
    private let status: StatusResult
    private let now: Timestamp

    init(_ status: StatusResult, now: Timestamp) {
        (self.status, self.now) = (status, now)
    }

    /// The report's lines, wrapped to the terminal's width.
    func lines(on terminal: Terminal) -> [String] {
        var lines = status.problems.flatMap { Finding($0).lines(on: terminal, now: now) }
        if !lines.isEmpty { lines.append("") }
        lines += status.catalogs.isEmpty ? Unconfigured.text.wrapped(to: terminal.columns) : table(on: terminal)
        for catalog in status.catalogs {
            guard let url = catalog.url else { continue }
            lines += "\(catalog.names.joined(separator: ", ")): \(url)".printable.wrapped(to: terminal.columns)
        }
        if let first = status.catalogs.first, let next = next(first) {
            let name = status.catalogs.count > 1 ? "\(first.name): " : ""
            lines += (name + next).printable.wrapped(to: terminal.columns)
        }
        for (name, text) in rows {
            lines += "\(name): \(text)".printable.wrapped(to: terminal.columns)
        }
        return lines
    }

    // MARK: Catalogs

    /// The width to which names are cut before columns are left out.
    private static let shortName = 12

    /// A row for each catalog. Where there is no room, names are cut, and the last columns are left out.
    private func table(on terminal: Terminal) -> [String] {
        let table = [["NAME", "STATE", "APPS", "AGE", "NEXT"]] + status.catalogs.map(cells)
        var widths = table[0].indices.map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        if let columns = terminal.columns {
            func room() -> Int { columns - widths.dropFirst().reduce(0) { $0 + 2 + $1 } }
            while widths.count > 2, room() < min(widths[0], Self.shortName) { widths.removeLast() }
            widths[0] = min(widths[0], max(room(), 1))
        }
        return table.enumerated().map { number, cells in
            let last = cells[widths.count - 1]
            let line = (zip(cells, widths.dropLast()).map { $0.fitted(to: $1) } + [last]).joined(separator: "  ")
            return number == 0 ? Style.label.applied(to: line, on: terminal) : line
        }
    }

    private func cells(_ catalog: CatalogStatus) -> [String] {
        [
            catalog.name, catalog.state,
            catalog.freshness.generation == nil ? "-" : String(catalog.apps),
            catalog.freshness.fetchedAt.map { Age.text(now - $0) } ?? "-",
            catalog.isRefreshing ? "now" : catalog.nextAt.map { LocalTime.short($0, now: now) } ?? "-",
        ].map(\.printable)
    }

    // MARK: What follows

    /// When and why promod checks the origin next, in a sentence; nil if a problem says why it does not.
    private func next(_ catalog: CatalogStatus) -> String? {
        if catalog.isRefreshing { return "promod is checking the origin now." }
        if catalog.freshness.source == .sample {
            return "This is the sample. Set your own catalog with: promoctl setup https://example.com/catalog.json"
        }
        guard let nextAt = catalog.nextAt else { return nil }
        let time = LocalTime.short(nextAt, now: now)
        switch catalog.nextReason.known {
        case .startup: return "promod checks within 30 seconds."
        case .expiry: return "promod checks again on \(time), before the list expires."
        case .retry where catalog.failures > 1:
            return "promod checks again on \(time), because the last \(catalog.failures) attempts failed."
        case .retry: return "promod checks again on \(time), because the last attempt failed."
        case .retryAfter: return "promod checks again no earlier than \(time), because the origin asked it to wait."
        case .resting, .some(.none): return nil
        case nil: return "promod checks again on \(time)."
        }
    }

    private var rows: [(String, String)] {
        let usual =
            SocketPath.ownDirectory(
                environment: ProcessEnvironment().variables, userID: getuid(), isDirectory: FileSystem.isDirectory)
            + "/promod.sock"
        return (status.isOnline ? [] : [("Offline", "this machine has no route to the internet.")])
            + (status.socket.path == usual ? [] : [("Socket", status.socket.path)])
    }
}

extension StatusResult {
    /// The problems of a catalog.
    func problems(of catalog: CatalogStatus) -> [Problem] { problems.filter { $0.catalog == catalog.name } }
}

extension CatalogStatus {
    /// The state, with the source if that is not the origin.
    var state: String {
        let source = freshness.source == .sample || freshness.source == .bundled ? " (\(freshness.source))" : ""
        return freshness.state.rawValue + source
    }
}

extension Timestamp {
    /// `21 Nov 01:09, 3 hours ago`, or `in 5 minutes`.
    func shown(now: Timestamp) -> String {
        let time = LocalTime.short(self, now: now)
        return self <= now ? "\(time), \(Age.text(now - self)) ago" : "\(time), in \(Age.remaining(self - now))"
    }
}
