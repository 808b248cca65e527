/// Asks for reviews at the right moments; a host app's tests may put their own in its place.
public protocol AppReviewRequesting: Sendable {
    /// Asks for a review where that is allowed now, and records that it did.
    func requestReviewIfEligible() async
    /// Whether a person with so many completed successes may be asked for a review now.
    func isEligible(completedWorkoutsCount: Int) async -> Bool
}
