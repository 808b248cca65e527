import Dispatch
import Logging
import Synchronization

/// Calls that need the main actor, in a program in which perhaps nothing runs it: the loop of GLib or Qt on the main thread does not.
enum MainActorCall {
    private static let isChecked = Mutex(false)
    private static let hasComplained = Mutex(false)
    private static let logger = Logger(label: "CrossPromoKit")
    /// Where patience ends: one queue for all calls, because each queue may take a thread of its own.
    fileprivate static let patience = DispatchQueue(label: "CrossPromoKit.patience")

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
                call.end(otherwise, unlessBegun: true)
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

/// A call that somebody waits for, and that may be given up until it begins.
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

    /// Ends the call.
    /// - Returns: false if it has ended before, or has begun and was to be ended only if not.
    @discardableResult
    func end(_ result: Result, unlessBegun: Bool = false) -> Bool {
        let (isEnd, continuation) = state.withLock { state in
            guard state.result == nil, !(unlessBegun && state.hasBegun) else {
                return (false, CheckedContinuation<Result, Never>?.none)
            }
            state.result = result
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: result)
        return isEnd
    }

    /// Gives the call up after a while, unless it has begun by then.
    /// - Parameter body: called if it was given up.
    func giveUp(after patience: Duration, with result: Result, _ body: @escaping @Sendable () -> Void) {
        MainActorCall.patience.asyncAfter(deadline: Deadline.after(patience).dispatchTime) {
            if self.end(result, unlessBegun: true) { body() }
        }
    }
}
