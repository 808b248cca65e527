import CLinux
import Dispatch
import PromoCore
import PromoWire
import Synchronization

/// Fetches one catalog, or its icons, over HTTPS, one at a time.
///
/// A fetch opens a connection unless one was prepared, and holds it until it is closed. The fetches of icons share it.
final class HTTPSOrigin: Origin {
    /// Opens a connection for this request, and for others with the same certificates and proxies.
    typealias Connect = @Sendable (OriginRequest) throws(Failure) -> any OriginConnection

    private let connect: Connect
    private let isForIcons: Bool
    /// Performs the fetches; only its jobs open and close the connection.
    private let queue = DispatchQueue(label: "promod.fetch")
    /// The open connection, and the request for which it was opened.
    private let open = Mutex<(connection: any OriginConnection, request: OriginRequest)?>(nil)

    /// An origin with these connections.
    init(isForIcons: Bool = false, connect: @escaping Connect) {
        self.isForIcons = isForIcons
        self.connect = connect
    }

    /// The origin on the network.
    convenience init() {
        self.init { (request) throws(Failure) in try FetchChild(for: request) }
    }

    func forAnotherCatalog() -> any Origin { HTTPSOrigin(connect: connect) }

    func forIcons() -> any Origin { HTTPSOrigin(isForIcons: true, connect: connect) }

    func prepare(for request: OriginRequest) {
        // A failure is that of the fetch, which tries again.
        queue.async { [self] in _ = try? connection(for: request) { true } }
    }

    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        let fetch = PendingFetch(completion)
        queue.async { [self] in perform(fetch, request) }
        return { fetch.cancel() }
    }

    func rest() {
        queue.async { [self] in close() }
    }

    private func perform(_ fetch: PendingFetch, _ request: OriginRequest) {
        do throws(Failure) {
            let connection = try connection(for: request) { fetch.isAwaited }
            fetch.begin(over: connection)
            fetch.end(Exchange(request).perform(over: connection))
            if isForIcons, !connection.isOver { return }
        } catch {
            fetch.end(.failed(error, httpStatus: nil, retryAfter: nil))
        }
        close()
    }

    /// The open connection if it is of use for a request, else a new one.
    private func connection(
        for request: OriginRequest, isAwaited: () -> Bool
    ) throws(Failure) -> any OriginConnection {
        if let (connection, earlier) = open.withLock({ $0 }) {
            let serves = earlier.caFile == request.caFile && earlier.proxies == request.proxies
            if serves { return connection }
            close()
        }
        guard isAwaited() else { throw Exchange.cancelled }
        let connection = try connect(request)
        open.withLock { $0 = (connection, request) }
        return connection
    }

    /// Closes the connection, which takes as long as its process needs to end.
    private func close() {
        let closing = open.withLock { open in
            defer { open = nil }
            return open?.connection
        }
        guard let closing else { return }
        closing.close()
        promod_give_back_memory()
    }
}

/// A fetch, from its request to its reply.
private final class PendingFetch: Sendable {
    typealias Completion = @Sendable (OriginReply) -> Void

    private struct State {
        let completion: Completion
        var connection: (any OriginConnection)?
    }

    /// nil once it has ended.
    private let state: Mutex<State?>

    init(_ completion: @escaping Completion) {
        state = Mutex(State(completion: completion))
    }

    /// Whether it has not ended.
    var isAwaited: Bool { state.withLock { $0 != nil } }

    /// From now on, cancelling it cancels a connection.
    func begin(over connection: any OriginConnection) {
        state.withLock { $0?.connection = connection }
        if !isAwaited { connection.cancel() }
    }

    /// Completes it, unless it was cancelled.
    func end(_ reply: OriginReply) {
        let ending = state.withLock { state in
            defer { state = nil }
            return state
        }
        ending?.completion(reply)
    }

    func cancel() {
        state.withLock { $0?.connection }?.cancel()
        end(.failed(Exchange.cancelled, httpStatus: nil, retryAfter: nil))
    }
}
