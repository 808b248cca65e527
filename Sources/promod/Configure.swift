import PromoDaemon
import PromoWire

/// `promod configure`, which only `promoctl setup` runs: it reads a change of the configuration, carries it out, and prints the result;
/// change and result are one line of JSON each.
enum Configure {
    /// Whether the program was started with this subcommand, which the parser does not know.
    static func isMeant(by arguments: [String]) -> Bool { arguments.dropFirst().elementsEqual(["configure"]) }

    /// Prints the report, which may be a refusal.
    static func run() throws {
        ProcessSetup.endWithParent()
        guard let line = try? FileReader.readStandardInput(maximumBytes: 1 << 16),
            let change = try? ConfigurationChange(JSONDocument(line, maximumDepth: 2).root)
        else {
            throw CommandFailure(
                64, "configure reads a change from \"promoctl setup\", which is the command for people")
        }
        let report = Configurator(change).report
        try StandardOutput.write(json: { report.write(to: &$0) })
    }
}
