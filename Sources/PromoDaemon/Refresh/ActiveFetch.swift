import PromoCore
import PromoWire

/// The fetch of a catalog that is under way or planned at once, and what clients want of it.
struct ActiveFetch {
    private enum Step {
        case planned
        case asking(cancel: @Sendable () -> Void)
        case reading(IntakeQueue.Token)
    }

    private var step = Step.planned
    /// When the origin was asked, on the monotonic clock.
    private(set) var beganAt: Milliseconds?
    /// Whether a person accepts what it brings.
    var isAccepting = false
    /// Whether a `clear` asked for it.
    var isClearing = false

    /// The intake of what it has brought.
    var intake: IntakeQueue.Token? { if case .reading(let token) = step { token } else { nil } }

    /// The origin is about to be asked.
    mutating func begin(at time: Milliseconds, cancel: @escaping @Sendable () -> Void) {
        (beganAt, step) = (time, .asking(cancel: cancel))
    }

    mutating func read(_ token: IntakeQueue.Token) {
        step = .reading(token)
    }

    func cancel() {
        switch step {
        case .planned: break
        case .asking(let cancel): cancel()
        case .reading(let token): token.cancel()
        }
    }
}
