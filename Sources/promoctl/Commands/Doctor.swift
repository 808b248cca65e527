import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why something fails, and what to do.",
        discussion: """
            Looks for the socket and the units, has promod fetch each catalog now, and shows the problems that promod \
            reports. If nothing is wrong, one line says so. It changes nothing but the age of the catalogs.

            Example: promoctl doctor --verbose
            """)

    @Flag(name: .shortAndLong, help: "Also show what is good.")
    var verbose = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let place = SocketPlace(options.daemon)
        let (findings, good): ([Finding], [String])
        do {
            let (found, fetched) = try asked()
            // A promod at a path of its own needs no units, and a sandbox shows none.
            let units = place.isUnits && Sandbox.current == nil ? Units(promodAnswers: true) : nil
            findings = (units?.findings ?? []) + found
            good = ["promod answers at \(place.path ?? "") (\(place.origin.rawValue))."] + (units?.good ?? []) + fetched
        } catch let error as PromoError {
            (findings, good) = (unanswered(error, place), [])
        }
        try show(findings, good)
        if Sandbox.current != nil, !options.json {
            Output.note("promoctl: This is a sandbox. On the host, \"promoctl doctor\" also looks at the units.")
        }
        if !findings.isEmpty { throw CommandFailure(.no) }
    }

    /// Why promod does not answer.
    private func unanswered(_ error: PromoError, _ place: SocketPlace) -> [Finding] {
        // A promod that systemd starts again and again answers too late. With a reason, it is not that promod does not run.
        let isLate = error.code == .timedOut
        guard isLate || error.code == .daemonUnreachable && error.reason == nil, Sandbox.current == nil else {
            return [Finding(error.message)]
        }
        let units = Units(promodAnswers: false)
        if !isLate, let finding = place.finding(unitsPath: units.socketPath) { return [finding] + units.findings }
        // At its place, what is wrong with the unit is the reason.
        guard place.isUnits else { return [Finding(error.message)] }
        guard isLate || units.isAnswering else { return [Units.silence(at: place.path ?? "")] }
        return units.findings.isEmpty ? [Finding(error.message)] : units.findings
    }

    /// What promod finds, after it has fetched each catalog.
    private func asked() throws -> (findings: [Finding], good: [String]) {
        var (findings, fetched, deferrals): ([Finding], Set<String>, [String: String]) = ([], [], [:])
        for catalog in try options.status().catalogs where catalog.url != nil {
            do {
                let result = try Progress.during("promod is fetching \(catalog.name)") {
                    try options.refresh(.name(catalog.name)).result
                }
                if result.outcome == .updated || result.outcome == .unchanged { fetched.insert(catalog.name) }
                deferrals[catalog.name] = result.deferral(of: catalog)
            } catch let error as PromoError where error.code == .refused {
                // A problem says why it is not fetched.
            }
        }
        // After the fetches, of which each that failed is a problem.
        let status = try options.status()
        if status.version != Version.current {
            findings.append(
                Finding(
                    "promod is version \(status.version), but promoctl is \(Version.current).",
                    advice: status.startedBy.known == .service
                        ? "Run: systemctl --user restart promod"
                        : "That goes when this promod ends; one that an app has started ends when no app needs it."))
        }
        findings += status.problems.map { problem in
            Finding(problem, deferral: problem.code.isOfFetch ? problem.catalog.flatMap { deferrals[$0] } : nil)
        }
        if status.catalogs.isEmpty, status.problems.isEmpty { findings.append(Finding(Unconfigured.text)) }
        let good = status.catalogs.filter { status.problems(of: $0).isEmpty }.map { catalog in
            "\(catalog.name): \(catalog.apps.counting("app"))\(catalog.url.map { " of \($0)" } ?? ""), "
                + (fetched.contains(catalog.name) ? "fetched now." : "\(catalog.state).")
        }
        return (findings, good)
    }

    private func show(_ findings: [Finding], _ good: [String]) throws {
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("problems", findings)
                writer.member("good", good)
            }
            return try Output.json(bytes: writer.bytes[...])
        }
        let terminal = Terminal.standardOutput
        var lines = findings.flatMap { $0.lines(on: terminal, now: .now) }
        if findings.isEmpty { lines.append(Style.good.applied(to: "Nothing is wrong.", on: terminal)) }
        if verbose { lines += good.flatMap { "Good: \($0)".printable.wrapped(to: terminal.columns) } }
        try Output.lines(lines)
    }
}
