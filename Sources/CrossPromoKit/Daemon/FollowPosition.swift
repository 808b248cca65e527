package import PromoWire

/// The position in the stream of events, so that a new subscription continues where the last one ended.
package struct FollowPosition: Equatable, Sendable {
    /// The parameters for the next subscription.
    package private(set) var parameters: SubscribeParameters

    /// Creates the position of the first subscription.
    package init(_ parameters: SubscribeParameters) {
        self.parameters = parameters
    }

    /// A subscription was answered.
    /// - Returns: whether the daemon was restarted since the last subscription.
    package mutating func subscribed(_ result: SubscribeResult) -> Bool {
        let isAnotherStart = parameters.epoch != nil && parameters.epoch != result.epoch
        if isAnotherStart || parameters.since == nil {
            // Replayed events are still to be received, and each of them advances the position.
            parameters.since = result.replayed > 0 ? 0 : result.seq
        }
        parameters.epoch = result.epoch
        return isAnotherStart
    }

    /// An event was received.
    package mutating func received(seq: Int) {
        parameters.since = max(parameters.since ?? 0, seq)
    }
}
