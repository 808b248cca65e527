import PromoCore
import PromoWire

/// What carries the requests of one fetch, within one deadline.
protocol OriginConnection: Sendable {
    /// Sends a request. The completion is called once, with the response, whose body is left out unless its status is 200, or
    /// with the reason why there is none.
    func send(
        _ query: Exchange.Query, completion: @escaping @Sendable (Result<ReceivedResponse, Failure>) -> Void)

    /// Fails the request under way and those that follow.
    func cancel()

    /// Releases everything; called once, after the last completion.
    func close(_ completion: @escaping @Sendable () -> Void)
}
