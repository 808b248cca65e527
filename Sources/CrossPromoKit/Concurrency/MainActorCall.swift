import Dispatch
import Logging
import Synchronization

/// Calls that need the main actor, in a program in which perhaps nothing runs it: the loop of GLib or Qt on the main thread does not.
enum MainActorCall {
    private static let isChecked = Mutex(false)
    private static let logger = Logger(label: "CrossPromoKit")

    /// Logs an error, once in the life of the process, if the main actor does nothing for so long.
    static func check(within patience: Duration) {
        let isFirst = isChecked.withLock { isChecked in
            defer { isChecked = true }
            return !isChecked
        }
        guard isFirst else { return }
        let begun = Begun()
        DispatchQueue.main.async { begun.set() }
        begun.unlessSet(within: patience) { complain(patience) }
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
                    call.begun.unlessSet(within: patience) {
                        complain(patience)
                        call.end(otherwise)
                    }
                }
            } onCancel: {
                task.cancel()
            }
        }
    }

    @MainActor
    private static func begin<Result: Sendable>(
        _ call: PendingCall<Result>, _ body: @MainActor () async -> Result
    ) async {
        call.begun.set()
        call.end(await body())
    }

    private static func complain(_ patience: Duration) {
        logger.error(
            """
            Nothing has run the main actor for \(patience), so no list comes. If the main thread runs a loop of GLib or Qt, have it watch \
            MainQueue.descriptor, and call MainQueue.run() whenever that is readable.
            """)
    }
}

/// A call whose result is waited for. Only its first result counts.
private final class PendingCall<Result: Sendable>: Sendable {
    private enum State: Sendable {
        case new
        case waiting(CheckedContinuation<Result, Never>)
        case over(Result)
    }

    let begun = Begun()
    private let state = Mutex(State.new)

    func wait(_ continuation: CheckedContinuation<Result, Never>) {
        let result: Result? = state.withLock { state in
            if case .over(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let result { continuation.resume(returning: result) }
    }

    func end(_ result: Result) {
        let continuation: CheckedContinuation<Result, Never>? = state.withLock { state in
            defer { state = .over(result) }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: result)
    }
}

/// Whether something has begun.
private final class Begun: Sendable {
    /// All patience ends on one queue, because each queue may take a thread of its own.
    private static let queue = DispatchQueue(label: "CrossPromoKit.patience")

    private let isSet = Mutex(false)

    func set() {
        isSet.withLock { $0 = true }
    }

    /// Calls a function after a while, unless something has begun by then.
    func unlessSet(within patience: Duration, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = patience.components
        let delay = DispatchTimeInterval.milliseconds(
            Int(min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000))
        Self.queue.asyncAfter(deadline: .now() + delay) {
            if !self.isSet.withLock({ $0 }) { body() }
        }
    }
}
