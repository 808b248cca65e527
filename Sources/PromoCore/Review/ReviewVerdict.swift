package import PromoWire

/// Whether a review may be asked for.
package struct ReviewVerdict: Equatable, Sendable {
    /// What stands against it, in the order in which reasons are given.
    package enum Reason: String, CaseIterable, Sendable {
        case neverLaunched = "never-launched"
        case tooFewCompletions = "too-few-completions"
        case tooSoonAfterFirstLaunch = "too-soon-after-first-launch"
        case tooSoonAfterLastRequest = "too-soon-after-last-request"
        case yearlyLimit = "yearly-limit"
    }

    /// Empty where it may.
    package var reasons: [Reason] = []
    /// The latest end among the waits in the reasons; nil where there is none.
    package var eligibleAt: Timestamp?

    /// Whether it may.
    package var isEligible: Bool { reasons.isEmpty }
}
