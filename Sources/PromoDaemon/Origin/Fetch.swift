import PromoCore
import PromoWire
import Synchronization

/// One fetch, which performs what its ``Exchange`` decides.
final class Fetch: Sendable {
    private struct State {
        var exchange: Exchange
        var connection: (any OriginConnection)?
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
        let query = state.withLock { state in
            state.connection = connection
            return state.exchange.query
        }
        send(query, over: connection)
    }

    /// Cancels a fetch that has begun; it completes soon after.
    func cancel() {
        state.withLock { $0.connection }?.cancel()
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
