import ArgumentParser
import Glibc
import PromoDaemon
import PromoProcess
import PromoWire

@main
struct Promod: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promod",
        abstract: "Keeps the catalog of a portfolio's apps fresh, and answers for it on a Unix-domain socket.",
        discussion: """
            Started without a subcommand it is the daemon. It listens on the socket that systemd hands over, else on \
            $PROMOD_SOCKET, else on $XDG_RUNTIME_DIR/promod/promod.sock.

            Each option below is a key of the configuration too, in ~/.config/promod/config.toml (catalog.url) and in the \
            environment (PROMOD_CATALOG_URL). The command line counts most.

            Exit codes of the daemon: 0 after SIGTERM or SIGINT; 64 wrong usage; 71 the system refused; 75 another promod is \
            there; 78 bad configuration.

            Example: promod --catalog-url https://example.com/catalog.json --log-level debug
            """,
        version: "promod \(Version.current)",
        subcommands: [Validate.self, Configure.self, Diagnose.self])

    @OptionGroup(title: "Configuration")
    var options: ConfigurationOptions

    @Flag(help: "Show every value in force and where it came from, and exit.")
    var printConfiguration = false

    static func main() {
        // Dispatch writes a line to syslog for each thread whose priority it may not set.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        if let problem = ProcessArguments.problem { exit(withError: ValidationError(problem)) }
        main(nil)
    }

    func run() throws {
        if printConfiguration {
            try PrintedConfiguration(commandLine: options.values).print()
            return
        }
        do {
            try ProcessSetup.checkEnvironment()
            try Daemon(commandLine: options.values).run()
        } catch {
            StandardError.write("promod: \(error)")
            throw ArgumentParser.ExitCode(error.exitCode.rawValue)
        }
    }
}
