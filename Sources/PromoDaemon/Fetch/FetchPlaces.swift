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

    /// Free places, at least one.
    init(_ count: Int = 32) {
        self.count = count
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
