import CLinux
import Dispatch
import Glibc
import Logging
import PromoCore
import PromoWire

/// Creates and starts the parts of the daemon, serves until a signal, and stops the parts in reverse order.
package struct Daemon: Sendable {
    private let commandLine: [String: String]
    private let catalogFile: String?
    private let listening: @Sendable (_ socket: String) -> Void

    /// A daemon for this process, with the command line's values by the names of their keys.
    /// - Parameters:
    ///   - catalogFile: the file whose apps the sample has; nil for promod's own sample.
    ///   - listening: called with the socket's path when clients can connect.
    package init(
        commandLine: [String: String], catalogFile: String? = nil,
        listening: @escaping @Sendable (_ socket: String) -> Void = { _ in }
    ) {
        (self.commandLine, self.catalogFile, self.listening) = (commandLine, catalogFile, listening)
    }

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: ``StartFailure``, after removing whatever it made.
    package func run() throws(StartFailure) {
        try ProcessSetup.prepare()
        let context = try DaemonContext(commandLine: commandLine, catalogFile: catalogFile)
        defer { context.logs.flush() }
        let socket = try ServedSocket(context.environment)
        let signals = Signals(
            .init(
                stop: {
                    socket.remove()
                    exit(ExitCode.success.rawValue)
                }, hangUp: {}))
        ProcessSetup.takeSignals()
        context.checkConfinement()
        socket.tightenDirectory(context.logger)
        let initial = try context.initialConfiguration(isActivated: socket.isInherited)
        let descriptor = try socket.open()
        defer { socket.remove() }
        try serve(socket.path, descriptor, initial, context, signals)
    }

    private func serve(
        _ path: String, _ descriptor: Int32, _ initial: Result<ConfigurationLoader.Loaded, BadConfiguration>,
        _ context: DaemonContext, _ signals: Signals
    ) throws(StartFailure) {
        let (logger, notifier) = (context.logger, context.notifier)
        let configuration = (try? initial.get())?.configuration ?? Configuration()
        context.logs.level = configuration.logLevel
        let keeper: Keeper
        do {
            keeper = try Keeper(
                loop: PollLoop(turnTime: 5), effects: context.effects(), cache: context.cache, state: context.state)
        } catch {
            throw StartFailure(.osError, "cannot serve \(path): \(error)")
        }
        let server = QueryServer(
            keeper: keeper, responder: context.responder(socketPath: path),
            maximumConnections: configuration.maximumConnections, now: ProcessSetup.now, logger: logger)
        keeper.start(initial)
        keeper.finish()
        // Before READY=1, because a signal may arrive immediately after it.
        signals.change(
            to: .init(
                stop: { [inbox = keeper.inbox] in
                    notifier.stopping()
                    inbox.submit {
                        $0.stop()
                        $0.server?.stop()
                    }
                }, hangUp: keeper.callback { $0.reload() }))
        do {
            try server.listen(on: descriptor)
        } catch {
            throw StartFailure(.osError, "cannot serve \(path): \(error)")
        }
        listening(path)
        logger.log(.started, "promod \(Version.current) serves \(path)", ["socket": "\(path)"])
        notifier.ready()
        let watchdog = Watchdog(environment: context.environment)
        watchdog?.start { [inbox = keeper.inbox] in inbox.submit { _ in notifier.alive() } }
        withExtendedLifetime(signals) { server.run() }
        // If the end of a fetch under way is not on disk, the next start counts an interrupted attempt.
        keeper.finish(within: .milliseconds(250))
        watchdog?.stop()
        if let directory = keeper.lost {
            throw StartFailure(
                .osError, "\(directory) was removed, and the sandbox lets promod make no other; systemd starts it again"
            )
        }
        logger.log(.stopped, "promod has stopped")
    }
}
