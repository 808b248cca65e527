import Dispatch
import Glibc
import Logging
import NIOCore
import NIOPosix
import PromoCore
import PromoWire
import Synchronization

/// Puts the parts together, runs until a signal says otherwise, and takes them apart in reverse.
package final class Daemon: Sendable {
    private let environment: [String: String]
    private let loader: ConfigurationLoader
    private let logs: LogQueue
    private let logger: Logger
    private let notifier: Notifier
    private let cache: PrivateDirectory
    private let state: PrivateDirectory
    private let crashes: CrashFile?
    /// The socket that the daemon bound itself, once it has.
    private let bound = Mutex<ListeningSocket?>(nil)
    private let lockQueue = DispatchQueue(label: "promod.lock")

    /// A daemon for this process, with the command line's options by name.
    package init(commandLine: [String: String]) {
        ProcessSetup.fillStandardDescriptors()
        Memory.setUp()
        Confinement.hideOtherProcesses()
        environment = ProcessSetup.environment
        let directories = Directories(environment: environment, home: ProcessSetup.home)
        loader = ConfigurationLoader(commandLine: commandLine, environment: environment, directories: directories)
        logs = LogQueue(environment: environment)
        logger = logs.makeLogger()
        notifier = Notifier(environment: environment)
        cache = PrivateDirectory(path: directories.cache)
        state = PrivateDirectory(path: directories.state)
        crashes = CrashFile(environment: environment)
    }

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: ``StartFailure``, with nothing left behind.
    package func run() throws(StartFailure) {
        ProcessSetup.resetSignals()
        let signals = Signals(.init(stop: { self.endStart() }, hangUp: {}))
        ProcessSetup.takeSignals()
        defer { logs.flush() }
        // A failure to start leaves the mark as a crash does: the manager starts promod again then, too.
        pauseAfterCrashes()
        let inherited = try inheritedSocket()
        let path = try socketPath()
        let initial = try initialConfiguration(isActivated: inherited != nil)
        let listening = inherited == nil ? try bind(path) : nil
        bound.withLock { $0 = listening }
        defer { listening?.remove() }
        let cacheLock = try lockCache(isActivated: inherited != nil)
        try serve(
            path: path, descriptor: inherited ?? listening?.descriptor ?? -1, initial: initial, cacheLock: cacheLock,
            signals: signals)
        crashes?.end()
    }

    /// Ends a daemon that does not serve yet, whatever it waits for.
    private func endStart() {
        bound.withLock { $0 }?.remove()
        crashes?.end()
        exit(ExitCode.success.rawValue)
    }

    private func serve(
        path: String, descriptor: Int32, initial: ControlPlane.InitialConfiguration, cacheLock: CacheLock,
        signals: Signals
    ) throws(StartFailure) {
        let configuration = initial.configuration
        logs.level = configuration.logLevel
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let publication = Publication(Snapshot(cachePath: cache.path(of: "catalog")))
        let limits = ServerLimits(configuration)
        let plane = ControlPlane(
            effects: effects(group: group, limits: limits), publication: publication, cache: cache, state: state)
        let (server, inbox) = try makeServer(plane, publication, limits, path: path)
        begin(plane, publication, initial, cacheLock)
        // Before READY: whoever is told that promod is ready may send a signal at once.
        signals.change(
            to: .init(
                stop: { [self] in stop(plane, inbox) }, hangUp: { plane.perform { _ = try? $0.reload() } }))
        do {
            try server.listen(on: descriptor)
        } catch {
            throw StartFailure(.osError, "cannot serve \(path): \(error)")
        }
        logger.log(.started, "promod \(Version.current) serves \(path)", ["socket": "\(path)"])
        notifier.ready()
        let watchdog = Watchdog(environment: environment)
        watchdog?.start(roundTrip: { completed in plane.perform { _ in inbox.submit { _ in completed() } } }) {
            [notifier] in
            notifier.alive()
        }
        withExtendedLifetime(signals) { server.run() }
        watchdog?.stop()
        logger.log(.stopped, "promod has stopped")
    }

    // MARK: Start

    /// Waits as long as the crashes before this start ask for.
    private func pauseAfterCrashes() {
        guard let crashes else { return }
        let history = crashes.begin(now: ProcessSetup.now())
        if Confinement.isMissing(home: ProcessSetup.home) {
            logger.log(
                .unconfined,
                "promod runs without its sandbox, for the home directory is writable to it. Does the system grant users no namespaces?"
            )
        }
        guard history.crashes > 0 else { return }
        let pause = history.pause.configured
        let times = history.crashes == 1 ? "once" : "\(history.crashes) times in a row"
        let consequence = history.pause > .zero ? "It serves again in \(pause)." : "It serves again."
        let message = "promod has ended \(times) without being told to. \(consequence)"
        logger.log(.endedUnexpectedly, message, ["crashes": "\(history.crashes)", "pause": "\(pause)"])
        guard history.pause > .zero else { return }
        notifier.status(message)
        let never = DispatchSemaphore(value: 0)
        _ = never.wait(timeout: .now() + .milliseconds(Int(history.pause.milliseconds)))
    }

    private func inheritedSocket() throws(StartFailure) -> Int32? {
        do {
            return try InheritedSocket.take()
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    private func socketPath() throws(StartFailure) -> String {
        do {
            return try SocketPath.resolve(environment: environment, userID: getuid())
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    /// By hand, a broken configuration ends the process. Under socket activation that would fail the socket too, and take the
    /// cached answers away; the daemon serves them and says what is wrong.
    private func initialConfiguration(isActivated: Bool) throws(StartFailure) -> ControlPlane.InitialConfiguration {
        do {
            return .loaded(try loader.load())
        } catch  where isActivated {
            return .broken(error, file: loader.fileToMend)
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    private func bind(_ path: String) throws(StartFailure) -> ListeningSocket {
        do {
            return try ListeningSocket.bind(path)
        } catch {
            switch error {
            case .taken(let pid):
                let who = pid.map { "another promod (pid \($0))" } ?? "another promod"
                throw StartFailure(
                    .temporaryFailure, "\(who) serves \(path) already; set PROMOD_SOCKET to run a second one elsewhere")
            case .system(let error):
                throw StartFailure(.osError, error.description)
            }
        }
    }

    // MARK: The cache's lock

    private enum CacheLock: Sendable {
        case taken(LockFile)
        case held(LockFile.Held)
        /// The disk gives no lock; what is served lives in memory.
        case none

        var file: LockFile? {
            if case .taken(let file) = self { file } else { nil }
        }
    }

    private var lockPath: String { cache.path(of: "lock") }

    private func lockCache(isActivated: Bool) throws(StartFailure) -> CacheLock {
        do {
            try cache.create()
            return .taken(try LockFile.take(lockPath))
        } catch LockFile.Failure.held(let held) {
            guard isActivated else { throw StartFailure(.temporaryFailure, Self.description(of: held)) }
            return .held(held)
        } catch {
            let reason = if case LockFile.Failure.system(let error) = error { error.description } else { "\(error)" }
            logger.log(
                .cacheNotLocked, "The cache cannot be locked, and may not be written: \(reason)", ["error": "storage"])
            return .none
        }
    }

    private static func description(of held: LockFile.Held) -> String {
        "another promod\(held.pid.map { " (pid \($0))" } ?? "") holds the cache \(held.path); stop it, or set XDG_CACHE_HOME"
    }

    /// Starts the plane, at once or when another daemon lets the cache go, and returns when there is something to answer.
    private func begin(
        _ plane: ControlPlane, _ publication: Publication, _ initial: ControlPlane.InitialConfiguration,
        _ lock: CacheLock
    ) {
        guard case .held(let held) = lock else {
            let started = DispatchSemaphore(value: 0)
            plane.perform { plane in
                plane.start(initial, lock: lock.file)
                started.signal()
            }
            started.wait()
            return
        }
        var busy = publication.current
        busy.busy = RequestError(.busy, Self.description(of: held))
        publication.publish(busy)
        notifier.status(StatusLine.text(busy, format: LocalTime.short))
        logger.log(.cacheHeld, Self.description(of: held))
        lockQueue.async { [self] in
            guard let taken = try? LockFile.wait(lockPath) else { return }
            logger.log(.cacheTakenOver, "The cache is free, and promod takes over")
            let now = loadedOrBroken()
            plane.perform { $0.start(now, lock: taken) }
        }
    }

    private func loadedOrBroken() -> ControlPlane.InitialConfiguration {
        do {
            return .loaded(try loader.load())
        } catch {
            return .broken(error, file: loader.fileToMend)
        }
    }

    // MARK: Parts

    private func makeServer(
        _ plane: ControlPlane, _ publication: Publication, _ limits: ServerLimits, path: String
    ) throws(StartFailure) -> (QueryServer, Inbox<QueryServer>) {
        do {
            let inbox = try Inbox<QueryServer>()
            let server = try QueryServer(
                inbox: inbox, controlPlane: plane, responder: makeResponder(path: path), publication: publication,
                limits: limits, now: ProcessSetup.now, logger: logger)
            return (server, inbox)
        } catch {
            throw StartFailure(.osError, "cannot serve \(path): \(error)")
        }
    }

    private func effects(group: any EventLoopGroup, limits: ServerLimits) -> ControlPlane.Effects {
        ControlPlane.Effects(
            origin: HTTPSOrigin(group: group), now: ProcessSetup.now, isOnline: Reachability.isOnline,
            loadConfiguration: { [loader] () throws(BadConfiguration) in try loader.load() },
            configurationChanged: { [logs] configuration in
                logs.level = configuration.logLevel
                limits.change(to: configuration)
            }, notifier: notifier, logger: logger)
    }

    private func makeResponder(path: String) -> Responder {
        let epoch = String(UInt64.random(in: .min ... .max), radix: 16)
        return Responder(
            language: Language(environment: environment),
            surroundings: .init(
                process: ProcessStatus(
                    version: Version.current, epoch: epoch, pid: Int(getpid()), startedAt: ProcessSetup.now(),
                    socketPath: path, configurationPath: loader.userFile), isOnline: Reachability.isOnline))
    }

    // MARK: Stop

    private func stop(_ plane: ControlPlane, _ inbox: Inbox<QueryServer>) {
        notifier.stopping()
        plane.perform { $0.stop() }
        inbox.submit { $0.stop() }
    }
}
