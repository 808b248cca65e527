import CrossPromoKit
import FoundationEssentials
import Glibc
import PromoSystem
import PromoWire

/// A status, as text for people: the problems, the catalogs with their names and addresses and where these are set.
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
            lines += place(of: catalog).printable.indented(by: 2, in: terminal.columns)
            if let remark = remark(on: catalog) { lines += remark.printable.indented(by: 2, in: terminal.columns) }
        }
        if status.catalogs.first?.freshness.source == .sample {
            lines += "This is the sample. Set your own catalog with: promoctl setup https://example.com/catalog.json"
                .wrapped(to: terminal.columns)
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

    // MARK: Where it is set, and what follows

    /// Where a catalog's address is set, and by whom if that was an app.
    private func place(of catalog: CatalogStatus) -> String {
        guard let file = catalog.file else { return "set by the command line" }
        let variables = ProcessEnvironment().variables
        let data = variables.baseDirectory("XDG_DATA_HOME", "/.local/share", home: variables["HOME"]) ?? ""
        let isOfApp = file.hasPrefix("\(data)/promod/catalogs.d/app-")
        return "set in \(file)\(isOfApp ? ", which an app has written" : "")"
    }

    /// Why promod checks the origin at that time, if nothing else says it; nil if there is nothing to say.
    private func remark(on catalog: CatalogStatus) -> String? {
        switch catalog.nextReason.known {
        case .retry where catalog.failures > 1: "the last \(catalog.failures) attempts failed"
        case .retryAfter: "the origin asked promod to wait"
        case .resting: "no app has asked for it lately, so it is not fetched"
        default: nil
        }
    }

    private var rows: [(String, String)] {
        let usual =
            SocketPath.ownDirectory(
                environment: ProcessEnvironment().variables, userID: getuid(), isDirectory: FileSystem.isDirectory)
            + "/promod.sock"
        return (status.isOnline ? [] : [("Offline", "this machine has no route to the internet.")])
            + (status.socket.path == usual ? [] : [("Socket", status.socket.path)])
            + (status.startedBy.known == .app ? [("Started by", "an app; promod ends when no app needs it.")] : [])
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
