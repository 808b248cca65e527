import Dispatch
import Glibc
import Logging
import PromoWire

/// Holds a start back after several crashes in a row, and notes whether this run ends in order.
struct CrashGuard: Sendable {
    private let file: CrashFile?
    private let logger: Logger
    private let notifier: Notifier

    init(_ context: DaemonContext) {
        file = CrashFile(environment: context.environment)
        logger = context.logger
        notifier = context.notifier
    }

    /// Marks the start, and waits as long as the crashes before it ask for.
    func begin() {
        guard let file else { return }
        let history = file.begin(now: ProcessSetup.now())
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

    /// Notes that this run ends in order.
    func end() {
        file?.end()
    }

    /// Ends a process that does not serve yet, whatever it waits for.
    func endProcess() -> Never {
        end()
        exit(ExitCode.success.rawValue)
    }
}
