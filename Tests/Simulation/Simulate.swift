import Glibc
import PromoCore
import PromoTestSupport
import PromoWire

/// Runs fleets of daemons through the scenarios, with promod's schedule and with fixed intervals, and prints what the origin sees.
@main
enum Simulate {
    static func main() {
        do {
            try run(Options(Array(CommandLine.arguments.dropFirst())))
        } catch {
            report(error.message)
            report(Options.usage)
            exit(64)
        }
    }

    private static func run(_ options: Options) throws(Options.Problem) {
        let results = options.scenarios.map { Result($0, options) }
        print(Table(results).text, terminator: "")
        guard let path = options.picture else { return }
        try save(Picture(results, options).text, to: path)
    }

    static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func save(_ text: String, to path: String) throws(Options.Problem) {
        guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
            throw Options.Problem(message: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}

/// What the origin saw in a scenario.
struct Result: Sendable {
    let scenario: Scenario
    let machine: Tally
    let fixed: Tally
    /// The sessions of the computers outside the building.
    let sessions: [Scenario.Session]

    /// Runs a scenario.
    init(_ scenario: Scenario, _ options: Options) {
        self.scenario = scenario
        machine = Self.run(scenario, options, "promod", ScheduleRefresher.init)
        fixed = Self.run(scenario, options, "fixed", FixedRefresher.init)
        sessions = scenario.sessions(Daemon(Daemon.building, in: scenario, seed: options.seed))
    }

    private static func run<Decider: Refresher>(
        _ scenario: Scenario, _ options: Options, _ name: String, _ refresher: (Daemon, RefreshPolicy) -> Decider
    ) -> Tally {
        var tally = Tally(scenario)
        var seeds = SeededGenerator(seed: options.seed)
        for index in 0..<options.daemons {
            let daemon = Daemon(index, in: scenario, seed: seeds.next())
            var life = Life(daemon, refresher(daemon, options.policy), options)
            life.run(scenario, &tally)
            let done = index + 1
            if done % 250_000 == 0 {
                Simulate.report("\(scenario.name), \(name): \(done) of \(options.daemons) daemons")
            }
        }
        return tally
    }
}
