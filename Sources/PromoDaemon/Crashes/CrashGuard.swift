import Dispatch
import Glibc
import Logging
import PromoWire

/// Delays the start after several crashes in a row, and records an orderly end.
struct CrashGuard: Sendable {
    private let file: CrashFile?
    private let logger: Logger
    private let notifier: Notifier

    init(_ context: DaemonContext) {
        file = CrashFile(environment: context.environment)
        logger = context.logger
        notifier = context.notifier
    }

    /// Records the start, and waits if there were too many crashes before it.
    /// - Returns: the guard for loading the cached catalog.
    func begin() -> LoadGuard {
        guard let file else { return LoadGuard(file: nil, history: nil) }
        let history = file.begin(now: ProcessSetup.now())
        pause(after: history)
        return LoadGuard(file: file, history: history)
    }

    private func pause(after history: CrashHistory) {
        guard history.crashes > 0 else { return }
        let pause = history.pause.configured
        let times = history.crashes == 1 ? "once" : "\(history.crashes) times in a row"
        let consequence = history.pause > .zero ? "It serves again in \(pause)." : "It serves again."
        let message = "promod exited unexpectedly \(times). \(consequence)"
        logger.log(.endedUnexpectedly, message, ["crashes": "\(history.crashes)", "pause": "\(pause)"])
        guard history.pause > .zero else { return }
        notifier.status(message)
        let never = DispatchSemaphore(value: 0)
        _ = never.wait(timeout: .now() + .milliseconds(Int(history.pause.milliseconds)))
    }

    /// Records an orderly end.
    func end() {
        file?.end()
    }

    /// Ends the process before it serves, even during the pause.
    func endProcess() -> Never {
        end()
        exit(ExitCode.success.rawValue)
    }
}
