import Dispatch

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
