import Glibc
import PromoDaemon
import PromoWire

/// `promod configure`, which only `promoctl setup` runs: it reads a change of the configuration, carries it out, and prints what came of
/// it, each as one line of JSON.
enum Configure {
    /// Whether the program was started for this.
    static func isMeant(by arguments: [String]) -> Bool { arguments.dropFirst().elementsEqual(["configure"]) }

    /// Exits with 0 if a report was printed, whatever it says.
    static func run() throws -> Never {
        ProcessSetup.endWithParent()
        guard let line = try? FileReader.readStandardInput(maximumBytes: 1 << 16),
            let change = try? ConfigurationChange(JSONDocument(line, maximumDepth: 2).root)
        else {
            StandardError.write(
                "promod: configure reads a change from \"promoctl setup\", which is the command for people")
            exit(64)
        }
        let report = Configurator(change).report
        try StandardOutput.write(json: { report.write(to: &$0) })
        exit(0)
    }
}
