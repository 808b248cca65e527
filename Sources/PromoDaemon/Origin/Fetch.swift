import PromoCore
import PromoWire
import Synchronization

/// One fetch, which performs what its ``Exchange`` decides.
final class Fetch: Sendable {
    private struct State {
        var exchange: Exchange
        var connection: (any OriginConnection)?
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let completion: @Sendable (OriginReply, (any OriginConnection)?) -> Void

    /// A fetch that has not begun.
    /// - Parameter completion: called once with the reply, and with the connection if the fetch has begun.
    init(_ request: OriginRequest, completion: @escaping @Sendable (OriginReply, (any OriginConnection)?) -> Void) {
        state = Mutex(State(exchange: Exchange(request)))
        self.completion = completion
    }

    var request: OriginRequest { state.withLock { $0.exchange.request } }

    /// Sends the first request.
    func begin(over connection: any OriginConnection) {
        let (query, isCancelled) = state.withLock { state in
            state.connection = connection
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
        completion(.failed(failure, httpStatus: nil, retryAfter: nil), nil)
    }

    private func send(_ query: Exchange.Query, over connection: any OriginConnection) {
        connection.send(query) { result in
            switch result {
            case .failure(let failure):
                self.completion(.failed(failure, httpStatus: nil, retryAfter: nil), connection)
            case .success(let response):
                switch self.state.withLock({ $0.exchange.received(response) }) {
                case .send(let next): self.send(next, over: connection)
                case .end(let reply): self.completion(reply, connection)
                }
            }
        }
    }
}
