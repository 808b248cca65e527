import PromoCore
import PromoWire

/// A catalog's fetch under way, or planned at once, and what clients want of it.
struct ActiveFetch {
    private enum Step {
        case planned
        case requesting(cancel: @Sendable () -> Void)
        case reading(IntakeQueue.Token)
    }

    private var step = Step.planned
    /// When the request began, on the monotonic clock.
    private(set) var beganAt: Milliseconds?
    /// Whether a person accepts a catalog that would be held back.
    var isAccepting = false
    /// Whether a `clear` asked for it.
    var isClearing = false

    /// The intake of the reply; nil before it begins.
    var intake: IntakeQueue.Token? { if case .reading(let token) = step { token } else { nil } }

    /// Notes that the request is about to be sent.
    mutating func begin(at time: Milliseconds, cancel: @escaping @Sendable () -> Void) {
        (beganAt, step) = (time, .requesting(cancel: cancel))
    }

    mutating func read(_ token: IntakeQueue.Token) {
        step = .reading(token)
    }

    func cancel() {
        switch step {
        case .planned: break
        case .requesting(let cancel): cancel()
        case .reading(let token): token.cancel()
        }
    }
}
