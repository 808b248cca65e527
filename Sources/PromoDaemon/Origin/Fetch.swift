import PromoCore
import PromoWire
import Synchronization

/// One fetch, which performs what its ``Exchange`` decides.
final class Fetch: Sendable {
    private struct State {
        var exchange: Exchange
        var connection: (any OriginConnection)?
        var isCancelled = false
        /// The end of the time limit, on the monotonic clock.
        var deadline: Milliseconds = 0
        /// The proxy of the first request.
        var proxy: Proxies.Used?
        var hasAnswer = false
    }

    /// How a fetch has ended.
    struct Outcome: Sendable {
        let reply: OriginReply
        let proxy: Proxies.Used?
        /// nil if the fetch has not begun.
        let connection: (any OriginConnection)?
    }

    private let state: Mutex<State>
    private let completion: @Sendable (Outcome) -> Void

    /// A fetch that has not begun.
    /// - Parameter completion: called once.
    init(_ request: OriginRequest, completion: @escaping @Sendable (Outcome) -> Void) {
        state = Mutex(State(exchange: Exchange(request)))
        self.completion = completion
    }

    var request: OriginRequest { state.withLock { $0.exchange.request } }

    /// Sends the first request; the time limit begins to run.
    func begin(over connection: any OriginConnection) {
        let (query, isCancelled) = state.withLock { state in
            state.connection = connection
            state.deadline = ProcessSetup.uptime() + state.exchange.request.timeout.milliseconds
            return (state.exchange.query, state.isCancelled)
        }
        if isCancelled { connection.cancel() }
        send(query, over: connection)
    }

    /// Cancels a fetch that has begun or is about to; it completes soon after.
    func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            return state.connection
        }
        connection?.cancel()
    }

    /// Ends a fetch that has not begun.
    func end(with failure: Failure) {
        completion(
            Outcome(reply: .failed(failure, httpStatus: nil, retryAfter: nil), proxy: nil, connection: nil))
    }

    private func send(_ query: Exchange.Query, over connection: any OriginConnection) {
        let rest = state.withLock { max($0.deadline - ProcessSetup.uptime(), 1) }
        connection.send(query, milliseconds: rest) { [self] answer in
            if let onResponse = request.onResponse, case .success(let response) = answer.result {
                onResponse(OriginHop(url: query.url, head: response.head))
            }
            let (step, proxy) = state.withLock { state in
                if !state.hasAnswer { (state.hasAnswer, state.proxy) = (true, answer.proxy) }
                return (state.exchange.received(answer.result), state.proxy)
            }
            switch step {
            case .send(let next): send(next, over: connection)
            case .end(let reply): completion(Outcome(reply: reply, proxy: proxy, connection: connection))
            }
        }
    }
}
