import Dispatch

/// Runs an actor on one private Dispatch queue, never on Swift's default executor: the first job there starts a wake-up every
/// second for the rest of the process's life.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure holds the executor until the job has run.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
