import PromoWire

/// The results as text.
struct Table {
    private let rows: [[String]]

    private static let heading = [
        "scenario", "", "mean/s", "peak/s", "busiest minute", "second day", "last day", "one address", "99 % fresh",
        "all fresh", "a look waits",
        "stale looks",
    ]

    init(_ results: [Result]) {
        rows =
            [Self.heading]
            + results.flatMap { result in
                [
                    Self.row(result.scenario.name, "promod", result.machine, result.sessions),
                    Self.row("", "fixed", result.fixed, result.sessions),
                ]
            }
    }

    /// The table, with a note on what its columns mean.
    var text: String {
        let widths = Self.heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n") + "\n\n" + Self.note
    }

    private static let note = """
        mean/s          requests a second while the computers are on, in the week that begins with the event
        busiest minute  the most requests in one minute of that week, in multiples of the mean
        second, last day  the same of these days alone
        peak/s          the most requests in one second, from the trouble before the event on
        one address     the same from one building of \(Table.number(Double(Daemon.building))) daemons
        fresh           the time from the event until the daemons without a fresh catalog at the event have fetched one
        a look waits    the longest time from a look at an expired catalog, or at none, to a fresh one, after the event
        stale looks     the share of looks that met an expired catalog, or none

        """

    private static func row(
        _ name: String, _ kind: String, _ tally: Tally, _ sessions: [Scenario.Session]
    ) -> [String] {
        [
            name, kind, number(tally.mean(sessions)), number(Double(tally.peak)), ratio(tally, sessions),
            ratio(tally, sessions, day: 1), ratio(tally, sessions, day: 6),
            number(Double(tally.peakFromBuilding)), duration(tally.timeUntilFresh(0.99)),
            duration(tally.timeUntilFresh(1)), tally.longestWait.map(duration) ?? "-",
            number(tally.shareOfStaleLooks * 100) + " %",
        ]
    }

    /// The busiest minute of a day after the event's, in multiples of the mean.
    private static func ratio(_ tally: Tally, _ sessions: [Scenario.Session], day: Int) -> String {
        number(Double(tally.busiestMinute(ofDay: day)) / (60 * tally.mean(sessions))) + "×"
    }

    /// The busiest minute in multiples of the mean.
    static func ratio(_ tally: Tally, _ sessions: [Scenario.Session]) -> String {
        number(Double(tally.busiestMinute) / (60 * tally.mean(sessions))) + "×"
    }

    /// A number with three digits, or all digits before the point.
    static func number(_ value: Double) -> String {
        guard value < 99.95 else { return grouped(Int(value.rounded())) }
        let places = value < 9.995 ? 100.0 : 10
        let scaled = Int((value * places).rounded())
        guard scaled % Int(places) != 0 else { return "\(scaled / Int(places))" }
        let fraction = String(scaled % Int(places) + Int(places)).dropFirst()
        return "\(scaled / Int(places)).\(fraction)"
    }

    private static func grouped(_ value: Int) -> String {
        value < 1000 ? "\(value)" : grouped(value / 1000) + "," + String(value % 1000 + 1000).dropFirst()
    }

    private static func duration(_ duration: Duration?) -> String {
        guard let duration else { return "> 7 days" }
        let seconds = duration / .seconds(1)
        return switch seconds {
        case ..<100: number(seconds) + " s"
        case ..<6000: number(seconds / 60) + " min"
        default: number(seconds / 3600) + " h"
        }
    }
}
