import Dispatch
@testable import PromoDaemon
import Synchronization
import Testing

/// Jobs that other threads give to a worker.
struct WorkerTests {
    private let queue = DispatchQueue(label: "test")

    @Test func jobsRunOnTheQueueInTheirOrder() async throws {
        let worker = try Worker(queue: queue)
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { done in
            for number in 0..<1000 {
                worker.submit { [queue] in
                    dispatchPrecondition(condition: .onQueue(queue))
                    seen.withLock { $0.append(number) }
                    if number == 999 { done.resume() }
                }
            }
        }
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func jobsThatAreSubmittedWhileTheQueueIsBusyRunAfterwards() throws {
        let worker = try Worker(queue: queue)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        worker.submit { worker.submit { done.signal() } }
        gate.signal()
        done.wait()
    }

    @Test func whoWaitsForTheEndFindsAllDone() throws {
        let worker = try Worker(queue: queue)
        let count = Mutex(0)
        for _ in 0..<3 { worker.submit { count.withLock { $0 += 1 } } }
        worker.finish()
        #expect(count.withLock { $0 } == 3)
    }
}
