public import FoundationEssentials
public import Logging
import PromoSystem

/// Asks for reviews. A host app's tests can implement it with a type of their own.
public protocol AppReviewRequesting: Sendable {
    /// Records that the app was launched. The wait for the first review begins with the first launch.
    func recordLaunch() async
    /// Asks for a review if that is allowed now, and records the request.
    func requestReviewIfEligible() async
    /// Whether a person may be asked for a review now, given the number of their completed successes.
    func isEligible(completedWorkoutsCount: Int) async -> Bool
}

extension AppReviewRequesting {
    /// Does nothing, for a type whose test is not about launches.
    public func recordLaunch() async {}
}

/// Asks for reviews when promod's policy allows it.
///
/// No method throws or shows an error. If promod cannot be reached, no review is asked for, and the log says why. ``PromoClient`` has the same
/// requests with their reasons and errors.
public final class AppReviewService: AppReviewRequesting {
    private let appID: String
    private let minimumCompletions: Int?
    private let page: URL?
    private let appStoreID: String?
    private let client: PromoClient
    private let completedWorkoutsCount: (@Sendable () async -> Int)?
    /// The count that the host app has asked about last.
    private let lastCount = Guarded<Int?>(nil)
    private let present: (@Sendable (URL) async -> Void)?
    private let logger: Logger

    /// Creates a service for one app.
    /// - Parameters:
    ///   - appID: the id of the app that asks, in lower-case ASCII letters, digits and hyphens. It need not be in the catalog.
    ///   - minimumCompletions: how many completed successes are enough, 1 or more; nil for the number that promod is configured with,
    ///     which is 3 by default.
    ///   - page: the https address of the page on which to write the review; nil for that of the catalog, which the app need not have.
    ///   - appStoreID: the app's number in the App Store, 1 to 32 ASCII digits, whose page is shown if neither `page` nor the catalog has
    ///     one. Without any page no review is asked for.
    ///   - catalog: the catalog that may have the page.
    ///   - socketPath: the path of promod's socket; nil for the default, which the environment may change.
    ///   - timeout: how long promod may take to answer.
    ///   - program: the path of the promod that comes with the app, as in ``PromoConfig/program``.
    ///   - logger: receives the errors.
    ///   - completedWorkoutsCount: returns the number of the person's completed successes, and is called before a review is requested;
    ///     nil for the number of the last ``isEligible(completedWorkoutsCount:)``. Without either, no review is granted, and standard
    ///     error says so.
    ///   - present: shows the page on which to write the review; nil to open it on the desktop.
    public init(
        appID: String, minimumCompletions: Int? = nil, page: URL? = nil, appStoreID: String? = nil,
        catalog: PromoCatalog? = nil,
        socketPath: String? = nil, timeout: Duration = .seconds(5), program: String? = nil,
        logger: Logger = Logger(label: "CrossPromoKit.AppReviewService"),
        completedWorkoutsCount: (@Sendable () async -> Int)? = nil,
        present: (@Sendable (URL) async -> Void)? = nil
    ) {
        (self.appID, self.minimumCompletions, self.page, self.appStoreID) = (
            appID, minimumCompletions, page, appStoreID
        )
        client = PromoClient(host: appID, catalog: catalog, socketPath: socketPath, timeout: timeout, program: program)
        (self.completedWorkoutsCount, self.present, self.logger) = (completedWorkoutsCount, present, logger)
    }

    /// Records that the app was launched. The wait for the first review begins with the first launch.
    public func recordLaunch() async {
        await attempt { () throws(PromoError) in try await client.launch() }
    }

    /// Whether a person may be asked for a review now, given the number of their completed successes; false also if promod cannot be
    /// reached, if no page for the review is known, or if there is no network. The log has the reason.
    public func isEligible(completedWorkoutsCount: Int) async -> Bool {
        lastCount.withLock { $0 = completedWorkoutsCount }
        let decision = await attempt { () throws(PromoError) in
            try await client.reviewEligibility(
                completed: completedWorkoutsCount, minimum: minimumCompletions, page: page, appStoreID: appStoreID)
        }
        if let decision { note(decision) }
        return decision?.isGranted ?? false
    }

    /// Asks promod for a review and, if it is granted, shows the page on which to write it. A granted review counts, whatever happens to
    /// the page afterwards.
    public func requestReviewIfEligible() async {
        let count = await completedWorkoutsCount?() ?? lastCount.withLock { $0 }
        if count == nil {
            Mistake(
                """
                requestReviewIfEligible() knows no number of successes, so no review is asked for: give AppReviewService \
                completedWorkoutsCount, or call isEligible(completedWorkoutsCount:) first.
                """
            ).tell()
        }
        let decision = await attempt { () throws(PromoError) in
            try await client.requestReview(
                completed: count ?? 0, minimum: minimumCompletions, page: page, appStoreID: appStoreID)
        }
        guard let decision else { return }
        guard decision.isGranted else { return note(decision) }
        guard let url = decision.page else {
            return logger.notice(
                "A review was granted, but its page is not known", metadata: ["app": "\(appID)"])
        }
        if let present { return await present(url) }
        guard await !StoreOpener.open(url) else { return }
        logger.warning(
            "A review was granted, but the desktop could not open its page",
            metadata: ["app": "\(appID)", "url": "\(url.absoluteString)"])
    }

    private func note(_ decision: ReviewDecision) {
        guard !decision.isGranted else { return }
        let reasons = decision.reasons.joined(separator: ", ")
        logger.debug("No review is asked for now", metadata: ["app": "\(appID)", "reasons": "\(reasons)"])
    }

    @discardableResult
    private func attempt<Answer>(_ request: () async throws(PromoError) -> Answer) async -> Answer? {
        do {
            return try await request()
        } catch {
            Mistake(error)?.tell()
            logger.warning(
                "A request about a review failed", metadata: ["app": "\(appID)", "error": "\(error.message)"])
            return nil
        }
    }
}
