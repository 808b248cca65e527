import ArgumentParser
import CLinux
import Glibc
import PromoCore
import PromoDaemon
import PromoOptions
import PromoSystem
import PromoWire

@main
struct Promod: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promod",
        abstract: "Keeps the catalog of a portfolio's apps fresh, and serves it on a Unix-domain socket.",
        discussion: """
            Without a subcommand, promod runs as the daemon. It listens on the socket that systemd passes, else on $PROMOD_SOCKET, else \
            on $XDG_RUNTIME_DIR/promod/promod.sock.

            Each key of ~/.config/promod/config.toml (log.level) is also a variable (PROMOD_LOG_LEVEL). The command line \
            overrides the environment, which overrides the file. --catalog-* and PROMOD_CATALOG_* override catalogs.d/default.toml.

            Exit codes of the daemon: 0 after SIGTERM or SIGINT; 64 wrong usage; 71 a system call failed; 75 another promod \
            is running, or a directory of its own was replaced; 78 bad configuration; with --catalog-file, also those of validate.

            Example: promod --catalog-url https://example.com/catalog.json --log-level debug
            """,
        subcommands: [Validate.self])

    @OptionGroup(title: "Configuration")
    var options: ConfigurationOptions

    @Flag(help: "Print each value in force and its source, and exit.")
    var printConfiguration = false

    @Flag(name: .customLong("version"), help: "Print promod's and its libraries' versions, and exit.")
    var printVersion = false

    static func main() {
        // Without this, Dispatch writes a line to syslog for each thread whose priority it may not set.
        // No other thread runs that could read the environment, and the texts are copied.
        unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
        Descriptor.prepareOutput()
        if FetchProcess.isMeant(by: CommandLine.arguments) { FetchProcess.run(CommandLine.arguments) }
        if let problem = ProcessArguments.problem { exit(withError: ValidationError(problem)) }
        var command: (any ParsableCommand)?
        do {
            // The service is started without arguments; the parser would take a quarter of the time of its start.
            if CommandLine.argc == 1 { return try Daemon(commandLine: [:]).run() }
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let problem = SubcommandName.problem(in: arguments, of: Self.self) { throw ValidationError(problem) }
            command = try parseAsRoot()
            try command?.run()
        } catch {
            CommandFailure(error)?.end()
            let shown = ProcessArguments.withoutCredentials(fullMessage(for: error, thrownBy: command))
            let code = exitCode(for: error)
            guard code == .success else {
                if !shown.isEmpty { StandardError.write(shown) }
                Glibc.exit(code.rawValue)
            }
            do { try StandardOutput.write(shown + "\n") } catch { CommandFailure(error)?.end() }
        }
    }

    func run() throws {
        let values = try options.values()
        if printConfiguration { return try PrintedConfiguration(commandLine: values).print() }
        if printVersion {
            return try StandardOutput.write(lines: [
                "promod \(Version.shown(build: unsafe String(cString: promod_build())))"
            ])
        }
        guard let file = options.catalogFile else { return try Daemon(commandLine: values).run() }
        try serve(file, values)
    }

    private func serve(_ file: String, _ values: [String: String]) throws {
        guard let bytes = try FileReader.read(file, maximumBytes: AppCatalog.maximumBytes) else {
            throw CommandFailure(66, "there is no file \(file)")
        }
        let report = CatalogReport(name: file, bytes: bytes)
        guard report.content != nil else { throw CommandFailure(65, report.lines.joined(separator: "\n")) }
        try TemporaryHome.enter()
        try Daemon(commandLine: values, catalogFile: file) { socket in
            let line = "export PROMOD_SOCKET=\(socket)"
            do { try StandardOutput.write(lines: [line]) } catch { CommandFailure(error)?.end() }
        }.run()
    }
}
