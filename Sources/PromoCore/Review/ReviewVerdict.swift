package import PromoWire

/// Whether a review may be asked for.
package struct ReviewVerdict: Equatable, Sendable {
    /// What stands against it; empty where it may.
    package var reasons: [ReviewResult.Reason] = []
    /// The latest end among the waits in the reasons; nil where there is none.
    package var eligibleAt: Timestamp?

    /// Whether it may.
    package var isEligible: Bool { reasons.isEmpty }
}
