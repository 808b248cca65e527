import ArgumentParser
import CrossPromoKit
import PromoWire

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why something does not work: each line is good, or says what to do.",
        discussion: """
            Checks the socket, the units, the running promod and its configuration file, and asks it which directories and \
            certificates it can use, and whether its sandbox is in force. Runs "promod diagnose" to check \
            the catalog, proxies and clock, with a fetch of its own, and the directories too if promod does not answer. It \
            changes nothing.

            Exits with 0 if nothing is bad, else with 1.

            Example: promoctl doctor
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        // Before the status, because promod then also looks whether its review history can be used again.
        let seen = (try? options.ask(.command(.diagnose), as: DiagnoseResult.self).result.checks) ?? []
        let daemon = DaemonCheck(options: options)
        let checks = try Progress.during("Checking") {
            guard Sandbox.current == nil else { return daemon.diagnoses(besides: seen) + seen + [Self.restOnHost] }
            // What the service sees counts, not what this shell sees.
            let own = try surroundings(daemon.status).filter { check in !seen.contains { $0.subject == check.subject } }
            let units = UnitCheck.diagnoses()
            return daemon.diagnoses(besides: units + own) + units + seen + own
        }.reduce(into: [Diagnosis]()) { checks, check in
            // What two checks have found of one catalog is one finding.
            let isKnown = checks.contains { $0.text == check.text && Self.catalog(of: $0) == Self.catalog(of: check) }
            if check.verdict == .good || !isKnown { checks.append(check) }
        }
        if options.json {
            var writer = JSONWriter()
            DiagnoseResult(checks).write(to: &writer)
            try Output.json(bytes: writer.bytes[...])
        } else {
            try Output.lines(DoctorReport(checks).lines(on: .standardOutput))
        }
        if checks.contains(where: { $0.verdict == .bad }) { throw Failure(.no) }
    }

    /// A sandbox has neither the units nor the program promod, and another network.
    private static let restOnHost = Diagnosis(
        "Host", .warning,
        "This is a sandbox. On the host \"promoctl doctor\" also checks units, catalog and proxies.")

    /// The name of the catalog that a diagnosis is about; empty for the default one, and for what is about none.
    private static func catalog(of check: Diagnosis) -> Substring {
        check.subject.firstRange(of: " of ").map { check.subject[$0.upperBound...] } ?? ""
    }

    /// What `promod diagnose` finds with the configuration file and the cache of the running promod.
    private func surroundings(_ status: StatusResult?) throws -> [Diagnosis] {
        let (output, code) = try DaemonProgram.run(["diagnose", "--json"] + DaemonProgram.places(status), input: "")
        do {
            return try DiagnoseResult(try JSONDocument(output, maximumDepth: 8).root).checks
        } catch {
            return [Diagnosis("Program", .bad, DaemonProgram.unreported("diagnose", code))]
        }
    }
}
