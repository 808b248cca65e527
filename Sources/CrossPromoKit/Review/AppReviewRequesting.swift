/// Asks for reviews. A host app's tests can implement it with a type of their own.
public protocol AppReviewRequesting: Sendable {
    /// Records that the app was launched. The wait for the first review begins with the first launch.
    func recordLaunch() async
    /// Asks for a review if that is allowed now, and records the request.
    func requestReviewIfEligible() async
    /// Whether a person may be asked for a review now, given the number of their completed successes.
    func isEligible(completedWorkoutsCount: Int) async -> Bool
}
