import PromoCore
import PromoWire

/// A connection for the requests of one fetch, with one deadline for all.
protocol OriginConnection: Sendable {
    /// Sends a request. The completion is called once, with the response or with the failure. The response has a body only if its
    /// status is 200.
    func send(
        _ query: Exchange.Query, completion: @escaping @Sendable (Result<ReceivedResponse, Failure>) -> Void)

    /// Makes the current request fail, and all later ones.
    func cancel()

    /// Releases everything; called once, after the last completion.
    func close(_ completion: @escaping @Sendable () -> Void)
}
