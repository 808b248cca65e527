import Dispatch
import Logging
import Synchronization

/// Calls that need the main actor, in a program in which perhaps nothing runs it: the loop of GLib or Qt on the main thread does not.
enum MainActorCall {
    private static let isChecked = Mutex(false)
    private static let hasComplained = Mutex(false)
    private static let logger = Logger(label: "CrossPromoKit")

    /// Logs an error, once in the life of the process, if the main actor does nothing for so long.
    static func check(within patience: Duration) {
        guard isFirst(isChecked) else { return }
        let call = PendingCall<Void>()
        DispatchQueue.main.async { _ = call.begin() }
        call.giveUp(after: patience, with: ()) { complain(patience) }
    }

    /// Calls a function on the main actor.
    /// - Returns: its result, or the other one if the main actor does not begin it for so long.
    static func make<Result: Sendable>(
        within patience: Duration, otherwise: Result, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @MainActor () async -> Result
    ) async -> Result {
        if isolation === MainActor.shared { return await body() }
        let call = PendingCall<Result>()
        let task = Task(executorPreference: PromoExecutor.shared) { await begin(call, body) }
        return await withTaskExecutorPreference(PromoExecutor.shared) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    call.wait(continuation)
                    call.giveUp(after: patience, with: otherwise) { complain(patience) }
                }
            } onCancel: {
                task.cancel()
                _ = call.giveUp(with: otherwise)
            }
        }
    }

    @MainActor
    private static func begin<Result: Sendable>(
        _ call: PendingCall<Result>, _ body: @MainActor () async -> Result
    ) async {
        // A call that its caller has given up must have no effect.
        guard call.begin() else { return }
        call.end(await body())
    }

    private static func isFirst(_ flag: borrowing Mutex<Bool>) -> Bool {
        flag.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }

    private static func complain(_ patience: Duration) {
        guard isFirst(hasComplained) else { return }
        logger.error(
            """
            Nothing has run the main actor for \(patience), so no list comes. If the main thread runs a loop of GLib or Qt, have it watch \
            MainQueue.descriptor, and call MainQueue.run() whenever that is readable.
            """)
    }
}

/// A call whose result is waited for, and that is given up if it does not begin.
private final class PendingCall<Result: Sendable>: Sendable {
    private struct State {
        var hasBegun = false
        /// The first result, which counts.
        var result: Result?
        var continuation: CheckedContinuation<Result, Never>?
    }

    private let state = Mutex(State())

    func wait(_ continuation: CheckedContinuation<Result, Never>) {
        let result: Result? = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Returns false if the call was given up.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = state.result == nil
            return state.hasBegun
        }
    }

    func end(_ result: Result) {
        let continuation: CheckedContinuation<Result, Never>? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(returning: result)
    }

    /// Ends the call with another result, unless it has begun.
    /// - Returns: whether it had not begun.
    func giveUp(with result: Result) -> Bool {
        let (isOver, continuation) = state.withLock { state in
            guard !state.hasBegun, state.result == nil else { return (false, CheckedContinuation<Result, Never>?.none) }
            state.result = result
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: result)
        return isOver
    }

    /// Ends the call after a while with another result, unless it has begun by then.
    func giveUp(after patience: Duration, with result: Result, _ body: @escaping @Sendable () -> Void) {
        MainActorPatience.queue.asyncAfter(deadline: .now() + patience.dispatchInterval) {
            if self.giveUp(with: result) { body() }
        }
    }
}

/// Where patience ends: one queue for all calls, because each queue may take a thread of its own.
private enum MainActorPatience {
    static let queue = DispatchQueue(label: "CrossPromoKit.patience")
}
