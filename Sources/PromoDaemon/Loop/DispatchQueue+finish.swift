import Dispatch

extension DispatchQueue {
    /// Waits until the jobs that were submitted so far are done, or for a time: a disk or a peer may not answer.
    func finish(within time: DispatchTimeInterval) {
        let end = DispatchSemaphore(value: 0)
        async { end.signal() }
        _ = end.wait(timeout: .now() + time)
    }
}
