import Glibc
import PromoCore
import PromoTestSupport
import PromoWire

/// Runs a fleet of daemons through a week in each scenario, with promod's schedule, and prints what the origin sees.
@main
enum Simulate {
    private static let usage = """
        Usage: simulate [--daemons N] [--svg FILE]
            --daemons N  the size of the fleet (1000000)
            --svg FILE   draws the results
        """

    static func main() {
        var (fleet, picture, rest) = (1_000_000, String?.none, CommandLine.arguments.dropFirst())
        while let option = rest.popFirst() {
            switch (option, rest.popFirst()) {
            case ("--daemons", let value?) where Int(value).map { $0 > 0 } == true: fleet = Int(value) ?? fleet
            case ("--svg", let value?): picture = value
            default: fail(usage, 64)
            }
        }
        let results = Scenario.all.map { scenario in
            let result = Result(scenario, fleet)
            print(result.text)
            fflush(nil)
            return result
        }
        guard let picture else { return }
        guard let file = fopen(picture, "w"), fputs(Picture(results, fleet).text, file) >= 0, fclose(file) == 0 else {
            fail("\(picture) cannot be written: \(String(cString: strerror(errno)))", 74)
        }
    }

    private static func fail(_ text: String, _ code: Int32) -> Never {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        exit(code)
    }
}

/// What the origin saw in a scenario.
struct Result: Sendable {
    let scenario: Scenario
    private(set) var tally: Tally
    private let fleet: Int

    /// Runs the whole fleet. The origin's answers depend on the time alone, so daemons can live one after another.
    init(_ scenario: Scenario, _ fleet: Int) {
        (self.scenario, self.fleet, tally) = (scenario, fleet, Tally(scenario))
        var seeds = SeededGenerator(seed: 1)
        for index in 0..<fleet {
            var life = Life(Daemon(index, in: scenario, seed: seeds.next()))
            life.run(scenario, &tally)
        }
    }

    /// The mean number of requests a minute while the computers outside the building are on, from the event on.
    private var mean: Double {
        let sessions = scenario.sessions(Daemon(Daemon.building, in: scenario, seed: 1))
        let on = sessions.reduce(Duration.zero) { $0 + max($1.end - max($1.begin, .event), .zero) }
        return Double(tally.total) / (on / .minutes(1))
    }

    /// The busiest minute in multiples of the mean.
    var ratio: String { Self.number(Double(tally.busiestMinute(ofDays: 0..<7)) / mean) + "×" }

    /// One line, for a table: the busiest minute, the share of the fleet that asks in it, the next day's, and when all are fresh.
    var text: String {
        let busiest = Double(tally.busiestMinute(ofDays: 0..<7))
        let next = Double(tally.busiestMinute(ofDays: 1..<2))
        let fresh = tally.timeUntilFresh.map { Self.number($0 / .minutes(1)) + " min" } ?? "after 7 days"
        return
            "\(scenario.name): busiest minute \(ratio) the mean, \(Self.number(100 * busiest / Double(fleet))) % of the fleet; "
            + "next day's \(Self.number(next / mean))×; all fresh: \(fresh); the mean is \(Self.number(mean)) a minute"
    }

    /// A number with two digits behind the point if it is small, and none if it is large.
    static func number(_ value: Double) -> String {
        let places = value < 10 ? 100.0 : 1
        let rounded = (value * places).rounded() / places
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
