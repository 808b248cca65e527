import CLinux
import Dispatch
import Logging
import PromoSystem
import Synchronization

/// Calls of the main actor, in a program in which perhaps nothing runs it: a main loop of GLib or Qt does not.
enum MainActorCall {
    private static let hasComplained = Atomic(false)

    /// Calls a function on the main actor.
    /// - Returns: its result, or `otherwise` if the main actor does not begin it within this time.
    static func make<Result: Sendable>(
        within patience: Duration, otherwise: Result, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @MainActor () async -> Result
    ) async -> Result {
        // Without this preference, what the body awaits would resume on the global executor.
        if isolation === MainActor.shared {
            return await withTaskExecutorPreference(PromoExecutor.shared) { await body() }
        }
        let call = Pending<Result>()
        let task = Task(executorPreference: PromoExecutor.shared) { await carryOut(call, body) }
        return await withTaskExecutorPreference(PromoExecutor.shared) {
            await call.value(ifCancelled: otherwise, cancel: { task.cancel() }) {
                call.expire(at: .after(patience), with: otherwise) { complain(patience) }
            }
        }
    }

    @MainActor
    private static func carryOut<Result: Sendable>(
        _ call: Pending<Result>, _ body: @MainActor () async -> Result
    ) async {
        if call.begin() { call.end(await body()) }
    }

    private static func complain(_ patience: Duration) {
        guard !hasComplained.exchange(true, ordering: .relaxed) else { return }
        Logger(label: "CrossPromoKit").error(
            """
            Nothing has run the main actor for \(patience), so the list cannot load. If the main thread runs a loop of GLib or Qt, \
            have it watch MainQueue.descriptor, and call MainQueue.run() whenever that is readable.
            """)
    }
}

/// The main actor's work in a program whose main thread runs a loop of another library, such as GLib's or Qt's.
///
/// Such a loop does not know Swift's main actor, so a task on it never begins. Have the loop watch ``descriptor``, and call ``run()`` on
/// the main thread whenever it is readable.
public enum MainQueue {
    /// The descriptor that becomes readable when the main actor has work; it stays the same, and must not be read or closed.
    public static var descriptor: Int32 { promo_main_queue_descriptor() }

    /// Runs the main actor's work that waits, and returns. Only the main thread may call it; another one ends the program.
    public static func run() { promo_main_queue_run() }
}

/// Runs this library's tasks on a queue of its own, so that nothing wakes an idle program.
///
/// A task that has waited resumes on Swift's global executor, whose threads wake their process once a second from then on. Give this
/// executor to a task of your own that waits for changes: `Task(executorPreference: PromoExecutor.shared) { … }`.
public final class PromoExecutor: TaskExecutor {
    /// The executor of all tasks of this library.
    public static let shared = PromoExecutor()

    private let queue = DispatchQueue(label: "CrossPromoKit.executor")

    private init() {}

    /// Runs a job of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // This executor lives as long as the process.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
