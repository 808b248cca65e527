import Dispatch
import Synchronization

/// The places for the fetches of all origins. They are given in the order in which they were asked for.
final class FetchPlaces: Sendable {
    private struct State {
        var taken = 0
        var waiting: [DispatchSemaphore] = []
    }

    private let count: Int
    private let state = Mutex(State())
    /// Gives jobs to the queues of origins, which may block until there is a thread.
    private let starter: Worker

    /// Free places, at least one.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(_ count: Int = 32) throws(SystemError) {
        self.count = count
        starter = try Worker("promod.fetches")
    }

    /// Runs a job on an origin's queue, without blocking the caller.
    func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
        starter.submit { queue.async(execute: job) }
    }

    /// Whether a fetch waits for a place.
    var isCrowded: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Takes a place, and waits until there is one.
    func take() {
        let turn = DispatchSemaphore(value: 0)
        state.withLock { $0.waiting.append(turn) }
        assign()
        turn.wait()
    }

    /// Gives a place back.
    func giveBack() {
        state.withLock { $0.taken -= 1 }
        assign()
    }

    private func assign() {
        state.withLock { state in
            while state.taken < count, !state.waiting.isEmpty {
                state.taken += 1
                state.waiting.removeFirst().signal()
            }
        }
    }
}
