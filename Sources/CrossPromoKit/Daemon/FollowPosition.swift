package import PromoWire

/// How far somebody has followed the events, so that a new connection goes on where the last one ended.
package struct FollowPosition: Equatable, Sendable {
    /// What is followed, and from where.
    package private(set) var parameters: SubscribeParameters

    /// The beginning: from now on, or after a number within an epoch.
    package init(_ parameters: SubscribeParameters) {
        self.parameters = parameters
    }

    /// A subscription was answered.
    /// - Returns: whether the daemon was restarted since the last one.
    package mutating func subscribed(_ result: SubscribeResult) -> Bool {
        let isAnotherStart = parameters.epoch != nil && parameters.epoch != result.epoch
        if isAnotherStart || parameters.since == nil {
            // All that is replayed is still to come, and what comes moves the position.
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
