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

            --set overrides a key of ~/.config/promod/config.toml, and --catalog-url the address in catalogs.d/default.toml.

            Exit codes of the daemon: 0 after SIGTERM or SIGINT, or when it was idle or lost its socket; 64 wrong usage; 71 a \
            system call failed; 74 the output cannot be written; 75 another promod is running, or does not answer, or a directory \
            of its own was replaced; 77 background = false in config.toml forbids --background; 78 bad configuration; with \
            --catalog-file or --bundled, also those of validate.

            Example: promod --catalog-url https://example.com/catalog.json --log-level debug
            """,
        subcommands: [Validate.self])

    @OptionGroup(title: "Configuration")
    var options: ConfigurationOptions

    @Flag(help: "Return when clients can be served. If nobody listens, start a daemon in the background.")
    var background = false

    @Option(
        help: ArgumentHelp(
            "With --background: keep the catalog at --catalog-url for this app from now on.", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp("With --app: a list for the time before the first fetch.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var bundled: String?

    @Option(
        help: ArgumentHelp(
            "End after so long without a connection and a fetch. (15 with --background)", valueName: "seconds"))
    var exitIdleTime: Int?

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
        if Background.isMeant(by: CommandLine.arguments) { Background.begin() }
        if let problem = ProcessArguments.problem { exit(withError: ValidationError(problem)) }
        var command: (any ParsableCommand)?
        do {
            // The service is started without arguments; the parser would take a quarter of the time of its start.
            if CommandLine.argc == 1 { return try Daemon(commandLine: [:]).run() }
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let problem = SubcommandName.problem(in: arguments, of: Self.self) { throw ValidationError(problem) }
            command = try parseAsRoot()
            if command is Validate, arguments.first != Validate._commandName {
                throw ValidationError(
                    "The options before \"\(Validate._commandName)\" are the daemon's, which does not run then.")
            }
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

    func validate() throws {
        guard exitIdleTime.map(Self.idleTimes.contains) ?? true else {
            throw ValidationError("--exit-idle-time takes a whole number of seconds, from 1 to a year.")
        }
        guard background || app == nil, (bundled == nil || app != nil) else {
            throw ValidationError("--app goes with --background, and --bundled with --app.")
        }
        let keys = try options.values().keys
        guard app == nil || options.catalogURL != nil else {
            throw ValidationError("--app needs --catalog-url with the address of the app's catalog.")
        }
        // The first app must not configure all others.
        guard
            !background || Array(keys) == (app == nil ? [] : [ConfigurationKeys.address]) && options.catalogFile == nil
        else {
            throw ValidationError("--background takes no configuration but that of files; --app takes --catalog-url.")
        }
        if let app, !AppID.isWellFormed(app) { throw ValidationError("--app takes an app's id; it has \(AppID.form).") }
        if let url = options.catalogURL, app != nil, HTTPSURL(url) == nil {
            throw ValidationError(HTTPSURL.refusal(of: url))
        }
    }

    private static let idleTimes = 1...31_536_000
    /// How long a daemon in the background stays for an app's next connection.
    private static let backgroundIdleTime = 15

    func run() throws {
        let values = try options.values()
        if printConfiguration { return try PrintedConfiguration(commandLine: values).print() }
        if printVersion {
            return try StandardOutput.write(lines: [
                "promod \(Version.shown(build: unsafe String(cString: promod_build())))"
            ])
        }
        if background {
            if let bundled { try Self.check(bundled) }
            let app = app.map { Background.App(id: $0, address: options.catalogURL ?? "", bundled: bundled) }
            do {
                let problem = try Background.start(exitIdleTime: exitIdleTime ?? Self.backgroundIdleTime, app: app)
                if let problem { StandardError.write("promod: \(problem)") }
                return
            } catch let failure as Background.Failure {
                _ = Descriptor.writeAll(failure.text, to: STDERR_FILENO)
                Glibc.exit(failure.code)
            }
        }
        guard let file = options.catalogFile else {
            let isInBackground = Background.isMeant(by: CommandLine.arguments)
            return try Daemon(
                commandLine: values, exitIdleTime: exitIdleTime.map(Duration.seconds), isInBackground: isInBackground
            ) { _ in if isInBackground { Background.ready() } }.run()
        }
        try serve(file, values)
    }

    /// Refuses a file that is no good catalog.
    private static func check(_ file: String) throws {
        guard let bytes = try FileReader.read(file, maximumBytes: AppCatalog.maximumBytes) else {
            throw CommandFailure(66, "there is no file \(file)")
        }
        let report = CatalogReport(name: file, bytes: bytes)
        guard report.content != nil else { throw CommandFailure(65, report.lines.joined(separator: "\n")) }
    }

    private func serve(_ file: String, _ values: [String: String]) throws {
        try Self.check(file)
        try TemporaryHome.enter()
        try Daemon(commandLine: values, catalogFile: file, exitIdleTime: exitIdleTime.map(Duration.seconds)) { socket in
            let line = "export PROMOD_SOCKET=\(socket)"
            do { try StandardOutput.write(lines: [line]) } catch { CommandFailure(error)?.end() }
        }.run()
    }
}
