import Dispatch
import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Creates and starts the parts of the daemon, serves until a signal, and stops the parts in reverse order.
package struct Daemon: Sendable {
    private let environment = ProcessSetup.environment
    private let directories = Directories.ofProcess
    private let loader: ConfigurationLoader
    /// Whether it serves a file's apps to one who tests it.
    private let isTest: Bool
    private let isInBackground: Bool
    /// How long it stays without a connection and a fetch; nil if it stays.
    private let exitIdleTime: Duration?
    private let logs: LogQueue
    private let notifier: Notifier
    private let listening: @Sendable (_ socket: String) -> Void

    /// A daemon for this process.
    /// - Parameters:
    ///   - commandLine: the values of keys by their names.
    ///   - catalogFile: the file whose apps the sample has; nil for promod's own sample.
    ///   - exitIdleTime: how long it stays without a connection and a fetch; nil if it stays.
    ///   - isInBackground: whether an app has started it with ``Background``.
    ///   - listening: called with the socket's path when clients can connect.
    /// - Throws: ``StartFailure`` if the process may have too few open files, or a variable that promod uses is not valid.
    package init(
        commandLine: [String: String], catalogFile: String? = nil, exitIdleTime: Duration? = nil,
        isInBackground: Bool = false,
        listening: @escaping @Sendable (_ socket: String) -> Void = { _ in }
    ) throws(StartFailure) {
        try ProcessSetup.prepare()
        (self.listening, isTest) = (listening, catalogFile != nil)
        (self.exitIdleTime, self.isInBackground) = (exitIdleTime, isInBackground)
        loader = try .ofProcess(commandLine: commandLine, catalogFile: catalogFile)
        logs = LogQueue(environment: environment, isInBackground: isInBackground)
        notifier = Notifier(environment: environment, logger: logs.makeLogger())
    }

    /// How long a daemon in the background waits for the end of another one.
    private static let patience: Milliseconds = 5000

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: ``StartFailure``, after removing whatever it made.
    package func run() throws(StartFailure) {
        defer { logs.flush() }
        let socket = try ServedSocket(environment, patience: isInBackground ? Self.patience : 0)
        let logger = logs.makeLogger()
        // Started by hand in a terminal, promod ends with that.
        let isByHand = environment["NOTIFY_SOCKET"] == nil && !socket.isInherited && isatty(STDERR_FILENO) == 1
        let stop: @Sendable () -> Void = {
            socket.remove()
            exit(ExitCode.success.rawValue)
        }
        let signals = Signals(Signals.Handlers(stop: stop, hangUp: { if isByHand { stop() } }))
        ProcessSetup.takeSignals()
        // As on a system that grants users no namespaces.
        if environment["NOTIFY_SOCKET"] != nil, ProcessSetup.isHomeWritable {
            logger.log(
                .unconfined,
                "promod runs without its sandbox: it can write to the home directory. Does the system grant users no namespaces?"
            )
        }
        socket.tightenDirectory(logger)
        let descriptor = try socket.open()
        defer { socket.remove() }
        let failure: StartFailure?
        do throws(SystemError) { failure = try serve(socket, descriptor, logger, signals, isByHand) } catch {
            throw StartFailure(.osError, "cannot serve \(socket.path): \(error)")
        }
        if let failure { throw failure }
        logger.log(.stopped, "promod has stopped")
    }

    /// Answers from the first moment, and has everything read meanwhile, because a disk may not answer.
    /// - Returns: what ends this process; nil after a signal.
    private func serve(
        _ socket: ServedSocket, _ descriptor: Int32, _ logger: Logger, _ signals: Signals, _ isByHand: Bool
    ) throws(SystemError) -> StartFailure? {
        let path = socket.path
        let keeper = try Keeper(
            loop: PollLoop(), effects: effects(logger, socket),
            cache: PrivateDirectory(path: directories.cache),
            state: PrivateDirectory(path: directories.state))
        let server = QueryServer(
            keeper: keeper, responder: responder(socket), now: ProcessSetup.now, logger: logger)
        let stop: @Sendable () -> Void = { [inbox = keeper.inbox, notifier] in
            notifier.stopping()
            inbox.submit { $0.stopServing() }
        }
        // Before READY=1, because a signal may arrive immediately after it.
        let reload = keeper.callback { $0.catalogs.reload() }
        signals.change(to: Signals.Handlers(stop: stop, hangUp: isByHand ? stop : reload))
        // The kernel signals only those in the foreground of a terminal that is closed. A test promod is its reader's, which may be killed.
        let isRead = isTest && [S_IFIFO, S_IFSOCK].contains(stat(of: STDOUT_FILENO)?.kind)
        for descriptor in (isByHand ? [STDERR_FILENO] : []) + (isRead ? [STDOUT_FILENO] : []) {
            try keeper.loop.add(descriptor, for: []) { [unowned keeper] _ in
                keeper.loop.remove(descriptor)
                stop()
            }
        }
        try server.listen(on: descriptor)
        if let exitIdleTime { server.end(afterIdle: exitIdleTime.milliseconds, of: socket, stop) }
        let isSwitchedOff: @Sendable (Keeper) -> Bool = { [isInBackground] keeper in
            isInBackground && !keeper.catalogs.configuration.allowsBackground
        }
        keeper.start { [listening, notifier] keeper in
            guard keeper.isRunning else { return }
            if keeper.catalogs.configurationError != nil, !keeper.effects.servesBroken { return keeper.stopServing() }
            if isSwitchedOff(keeper) { return keeper.stopServing() }
            listening(path)
            logger.log(.started, "promod \(Version.current) serves \(path)", ["socket": "\(path)"])
            notifier.ready()
        }
        let watchdog = Watchdog(environment: environment)
        watchdog?.start { [inbox = keeper.inbox, notifier] in inbox.submit { _ in notifier.alive() } }
        withExtendedLifetime(signals) { server.run() }
        // If the end of a fetch under way is not on disk, the next start counts an interrupted attempt.
        keeper.finish(within: .milliseconds(250))
        watchdog?.stop()
        if let lost = keeper.problems.lost {
            return StartFailure(
                .temporaryFailure,
                "\(lost) is not the directory any more with which promod began, so it ends; its service manager starts it again"
            )
        }
        if isSwitchedOff(keeper) {
            return StartFailure(
                .switchedOff, "the person or the administrator has switched it off: config.toml has background = false")
        }
        guard let error = keeper.catalogs.configurationError, !keeper.catalogs.isConfigured,
            !keeper.effects.servesBroken
        else { return nil }
        return StartFailure(.configuration, error)
    }

    private func effects(_ logger: Logger, _ socket: ServedSocket) -> Keeper.Effects {
        // An inherited socket may be elsewhere.
        let runtime = SocketPath.ownDirectory(
            environment: environment, userID: getuid(), isDirectory: FileSystem.isDirectory)
        return Keeper.Effects(
            origin: HTTPSOrigin(), hasRoute: ProcessSetup.hasRoute,
            loadConfiguration: { [loader] dropIns throws(BadConfiguration) in try loader.load(after: dropIns) },
            environment: environment,
            dropInDirectories: loader.watchedPaths
                + (socket.isInherited ? [] : [socket.path]).filter { $0.hasPrefix("/") },
            loadDropIns: { [loader] in loader.loadDropIns(after: $0) },
            look: DiskLook(
                directories, runtime: stat(of: runtime) == nil ? nil : runtime, files: loader.files,
                isSocketReplaced: { socket.isReplaced }),
            // Under socket activation the socket would fail, too, so that daemon serves the cached catalogs and reports the problem.
            servesBroken: socket.isInherited, configurationChanged: { [logs] in logs.level = $0.logLevel },
            notifier: notifier, logger: logger)
    }

    /// The responder of this run, with a new epoch.
    private func responder(_ socket: ServedSocket) -> Responder {
        var status = StatusResult()
        (status.version, status.pid) = (Version.current, Int(getpid()))
        status.epoch = String(UInt64.random(in: .min ... .max), radix: 16)
        (status.startedAt, status.socket.path) = (ProcessSetup.now(), socket.path)
        let isService = socket.isInherited || environment["NOTIFY_SOCKET"] != nil
        status.startedBy = Growing(isService ? .service : isInBackground ? .app : .commandLine)
        return Responder(
            language: Language(environment: environment), status: status, hasRoute: ProcessSetup.hasRoute)
    }
}
