import Dispatch
@testable import PromoDaemon
import Synchronization
import Testing

/// Jobs that another thread hands over to a queue.
struct HandoverTests {
    private let queue = DispatchQueue(label: "test")

    @Test func jobsRunOnTheQueueInTheirOrder() async throws {
        let handover = try Handover(to: queue)
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { done in
            for number in 0..<1000 {
                handover.submit { [queue] in
                    dispatchPrecondition(condition: .onQueue(queue))
                    seen.withLock { $0.append(number) }
                    if number == 999 { done.resume() }
                }
            }
        }
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func jobsThatAreSubmittedWhileTheQueueIsBusyRunAfterwards() throws {
        let handover = try Handover(to: queue)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        handover.submit { handover.submit { done.signal() } }
        gate.signal()
        done.wait()
    }

    @Test func whatWasSubmittedCanBeRunAtOnce() throws {
        let handover = try Handover(to: queue)
        let count = Mutex(0)
        queue.sync {
            for _ in 0..<3 { handover.submit { count.withLock { $0 += 1 } } }
            handover.runSubmitted()
            #expect(count.withLock { $0 } == 3)
        }
    }
}
