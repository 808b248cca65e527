import Dispatch
import PromoSystem

/// A value that a task waits for while something else produces it; the first one counts.
///
/// Until the work for it begins, the wait can end without it: at a deadline, or when the task is cancelled.
final class Pending<Value: Sendable>: Sendable {
    private struct State {
        var hasBegun = false
        var value: Value?
        var continuation: CheckedContinuation<Value, Never>?
    }

    private let state = Guarded(State())

    /// Waits for the value.
    /// - Parameters:
    ///   - cancelled: the value if the task is cancelled before the work begins.
    ///   - cancel: called when the task is cancelled, so that work that has begun can end early.
    ///   - start: starts the work; not called if there is a value already.
    func value(
        ifCancelled cancelled: Value, cancel: @escaping @Sendable () -> Void, start: () -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state in
                    if state.value == nil { state.continuation = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) } else { start() }
            }
        } onCancel: {
            cancel()
            end(cancelled, unlessBegun: true)
        }
    }

    /// Begins the work.
    /// - Returns: false if the wait has ended, so that the work must have no effect.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = state.value == nil
            return state.hasBegun
        }
    }

    /// Ends the wait.
    /// - Returns: false if it had ended before, or if `unlessBegun` and the work has begun.
    @discardableResult
    func end(_ value: Value, unlessBegun: Bool = false) -> Bool {
        let (isEnd, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            guard state.value == nil, !(unlessBegun && state.hasBegun) else { return (false, nil) }
            state.value = value
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: value)
        return isEnd
    }

    /// Ends the wait at a deadline, unless the work has begun by then.
    /// - Parameter ended: called if this has ended it.
    func expire(
        at deadline: Deadline, with value: @autoclosure @escaping @Sendable () -> Value,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        expiries.asyncAfter(deadline: deadline.dispatchTime) {
            if self.end(value(), unlessBegun: true) { ended() }
        }
    }
}

/// One queue for all deadlines, because each queue may take a thread of its own.
private let expiries = DispatchQueue(label: "CrossPromoKit.expiry")
