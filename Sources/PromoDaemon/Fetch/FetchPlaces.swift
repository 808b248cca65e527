import Dispatch
import Synchronization

/// The places for the fetches of all origins. They are given in the order in which they were asked for.
final class FetchPlaces: Sendable {
    private struct State {
        var taken = 0
        var waiting: [DispatchSemaphore] = []
    }

    /// The most places there ever are; fewer if there are few descriptors.
    static let maximum = 32

    private let allowed: @Sendable () -> Int
    private let state = Mutex(State())

    /// Free places.
    /// - Parameter allowed: how many there may be at the moment. There is always one.
    init(allowed: @escaping @Sendable () -> Int) {
        self.allowed = allowed
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
        let allowed = max(1, allowed())
        state.withLock { state in
            while state.taken < allowed, !state.waiting.isEmpty {
                state.taken += 1
                state.waiting.removeFirst().signal()
            }
        }
    }
}
