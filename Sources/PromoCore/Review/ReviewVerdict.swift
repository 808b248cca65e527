package import PromoWire

/// The decision whether an app may ask for a review.
package struct ReviewVerdict: Equatable, Sendable {
    /// Why the app may not ask; empty if it may.
    package var reasons: [ReviewResult.Reason]
    /// When the last of the waits in `reasons` ends; nil if there is none.
    package var eligibleAt: Timestamp?

    /// How many completed successes are required; nil unless there are too few.
    package var completionsNeeded: Int?

    /// A refusal for reasons, or the grant.
    package init(reasons: [ReviewResult.Reason] = []) {
        self.reasons = reasons
    }

    /// Adds the reasons against a review that can only be written on a page.
    /// - Parameters:
    ///   - page: the address of the page; nil if it is not known.
    ///   - isOnline: whether this machine has a network.
    package mutating func requirePage(_ page: String?, isOnline: Bool) {
        if page == nil { reasons.append(.noPage) }
        if !isOnline { reasons.append(.offline) }
    }

    /// Whether the app may ask.
    package var isEligible: Bool { reasons.isEmpty }
}
