import ArgumentParser
import CrossPromoKit
import PromoWire

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why something does not work: each line is good, or says what to do.",
        discussion: """
            Checks the socket, the units, the running promod and its configuration file, and runs "promod diagnose" to check \
            name look-up, TLS, the catalog, proxies, disk and clock, with a fetch of its own. It changes nothing.

            Exits with 0 if nothing is bad, else with 1.

            Example: promoctl doctor
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        let (daemon, status) = DaemonCheck(options: options).diagnoses()
        let checks = try Progress.during("Checking") { try daemon + UnitCheck.diagnoses() + surroundings(status) }
        if options.json {
            var writer = JSONWriter()
            checks.write(to: &writer)
            try Output.text(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        } else {
            try Output.lines(DoctorReport(checks).lines(on: .standardOutput))
        }
        if checks.contains(where: { $0.verdict == .bad }) { throw Failure(.no) }
    }

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
