import ArgumentParser
import CrossPromoKit
import PromoWire

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why something does not work: each line is good, or says what to do.",
        discussion: """
            Checks the socket, the units, the running promod and its configuration file, and asks it which directories and \
            certificates it can use, and whether its sandbox is in force. Runs "promod diagnose" to check name look-up, TLS, \
            the catalog, proxies and clock, with a fetch of its own, and the directories too if promod does not answer. It \
            changes nothing.

            Exits with 0 if nothing is bad, else with 1.

            Example: promoctl doctor
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        // Before the status, because promod then also looks whether its review history can be used again.
        let seen = (try? options.ask(.diagnose(DiagnoseParameters()), reading: [Diagnosis].init).result) ?? []
        let (daemon, status) = DaemonCheck(options: options).diagnoses()
        let checks = try Progress.during("Checking") {
            guard Sandbox.current == nil else { return daemon + seen + [Self.restOnHost] }
            // What the service sees counts, not what this shell sees.
            let own = try surroundings(status).filter { check in
                !daemon.contains(check) && !seen.contains { $0.subject == check.subject }
            }
            return daemon + UnitCheck.diagnoses() + seen + own
        }
        if options.json {
            var writer = JSONWriter()
            checks.write(to: &writer)
            try Output.json(bytes: writer.bytes[...])
        } else {
            try Output.lines(DoctorReport(checks).lines(on: .standardOutput))
        }
        if checks.contains(where: { $0.verdict == .bad }) { throw Failure(.no) }
    }

    /// A sandbox has neither the units nor the program promod, and another network.
    private static let restOnHost = Diagnosis(
        "Host", .warning,
        "This is a sandbox. On the host \"promoctl doctor\" also checks units, name look-up, catalog and proxies.")

    /// What `promod diagnose` finds with the configuration file and the cache of the running promod.
    private func surroundings(_ status: StatusResult?) throws -> [Diagnosis] {
        let (output, code) = try DaemonProgram.run(["diagnose", "--json"] + DaemonProgram.places(status), input: "")
        do {
            return try [Diagnosis](try JSONDocument(output, maximumDepth: 8).root)
        } catch {
            return [Diagnosis("Program", .bad, DaemonProgram.unreported("diagnose", code))]
        }
    }
}
