import PromoCore
import PromoFetch
import PromoWire

/// A whole response; it has a body only if its status is 200.
struct ReceivedResponse: Equatable, Sendable {
    var head: FetchedHead
    var body: [UInt8] = []
}

/// What came of a query.
struct OriginAnswer: Sendable {
    var result: Result<ReceivedResponse, Failure>
    /// The proxy that was used; nil if there was none, or if that is not known.
    var proxy: Proxies.Used?
}

/// What sends the requests of one fetch, or of several.
protocol OriginConnection: Sendable {
    /// Sends a request. The completion is called once.
    /// - Parameter milliseconds: the time limit.
    func send(
        _ query: Exchange.Query, milliseconds: Milliseconds, completion: @escaping @Sendable (OriginAnswer) -> Void)

    /// Makes the current request fail, and all later ones.
    func cancel()

    /// Whether every later request would fail.
    var isOver: Bool { get }

    /// Releases everything; called once, after the last completion.
    func close(_ completion: @escaping @Sendable () -> Void)
}
