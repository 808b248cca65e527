package import PromoWire

/// Whether a review may be asked for.
package struct ReviewVerdict: Equatable, Sendable {
    /// What stands against it; empty where it may.
    package var reasons: [ReviewResult.Reason] = []
    /// The latest end among the waits in the reasons; nil where there is none.
    package var eligibleAt: Timestamp?

    /// How many completed successes it takes; nil unless there are too few.
    package var completionsNeeded: Int?

    /// Adds what stands against a review that can only be written on a page.
    /// - Parameters:
    ///   - page: where it would be written; nil if that is not known.
    ///   - isOnline: whether this machine has a network.
    package mutating func requirePage(_ page: String?, isOnline: Bool) {
        if page == nil { reasons.append(.noPage) }
        if !isOnline { reasons.append(.offline) }
    }

    /// Whether it may.
    package var isEligible: Bool { reasons.isEmpty }
}
