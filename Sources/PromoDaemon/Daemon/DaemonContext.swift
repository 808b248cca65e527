import Dispatch
import Glibc
import Logging
import PromoCore
import PromoWire

/// The environment, directories, log and service manager from which the parts of a daemon are made.
struct DaemonContext: Sendable {
    let environment: [String: String]
    let loader: ConfigurationLoader
    let logs: LogQueue
    let logger: Logger
    let notifier: Notifier
    let directories: Directories
    let cache: PrivateDirectory
    let state: PrivateDirectory

    /// The context of this process.
    /// - Throws: ``StartFailure`` if the environment is not valid.
    init(commandLine: [String: String], catalogFile: String?) throws(StartFailure) {
        environment = ProcessSetup.environment
        directories = .ofProcess
        loader = try .ofProcess(commandLine: commandLine, catalogFile: catalogFile)
        (logs, notifier) = (LogQueue(environment: environment), Notifier(environment: environment))
        logger = logs.makeLogger()
        cache = PrivateDirectory(path: directories.cache)
        state = PrivateDirectory(path: directories.state)
    }

    private static let unconfined =
        "promod runs without its sandbox: it can write to the home directory. Does the system grant users no namespaces?"

    /// Whether a service manager started this process without the unit's sandbox, as on a system that grants users no namespaces.
    private var isUnconfined: Bool {
        environment["NOTIFY_SOCKET"] != nil && ProcessSetup.isHomeWritable
    }

    /// Warns if the unit's sandbox is not in force.
    func checkConfinement() {
        if isUnconfined { logger.log(.unconfined, Self.unconfined) }
    }

    /// The configuration to start with.
    ///
    /// If it is broken, a daemon that was started by hand exits. Under socket activation that would make the socket fail too, so
    /// the daemon serves the cached catalog and reports the problem.
    func initialConfiguration(
        isActivated: Bool
    ) throws(StartFailure) -> Result<ConfigurationLoader.Loaded, BadConfiguration> {
        do {
            return .success(try loader.load())
        } catch {
            guard isActivated else { throw StartFailure(.configuration, error.description) }
            return .failure(error)
        }
    }

    /// The effects of the keeper.
    func effects() -> Keeper.Effects {
        Keeper.Effects(
            origin: HTTPSOrigin(), isOnline: ProcessSetup.isOnline,
            loadConfiguration: { [loader] () throws(BadConfiguration) in try loader.load() },
            environment: environment, dropInDirectories: loader.watchedPaths,
            loadDropIns: { [loader] in loader.loadDropIns() },
            look: DiskLook(directories, files: loader.files),
            configurationChanged: { [logs] in logs.level = $0.logLevel }, notifier: notifier, logger: logger)
    }

    /// The responder of this run, with a new epoch.
    func responder(socketPath: String) -> Responder {
        let epoch = String(UInt64.random(in: .min ... .max), radix: 16)
        var status = StatusResult()
        (status.version, status.epoch, status.pid) = (Version.current, epoch, Int(getpid()))
        (status.startedAt, status.socket.path) = (ProcessSetup.now(), socketPath)
        return Responder(
            language: Language(environment: environment), status: status, isOnline: ProcessSetup.isOnline)
    }
}
