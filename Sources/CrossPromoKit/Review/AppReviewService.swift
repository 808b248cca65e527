public import FoundationEssentials
public import Logging
import PromoWire

/// Asks for reviews as promod's policy allows it, across all programs of the user.
///
/// Nothing here shows or throws an error: a review that cannot be asked for is not asked for, and the log says why.
public struct AppReviewService: AppReviewRequesting {
    private let appID: String
    private let appStoreID: String?
    private let client: DaemonClient
    private let completedWorkoutsCount: @Sendable () async -> Int
    private let present: (@Sendable (URL) async -> Void)?
    private let logger: Logger

    /// A service for one app.
    /// - Parameters:
    ///   - appID: the app that asks, lower-case ASCII letters, digits and hyphens; the catalog need not know it.
    ///   - appStoreID: the app's number in the store, 1 to 32 ASCII digits, for an app that the catalog does not know. Without a number
    ///     there is no page to send a person to, and no review is asked for.
    ///   - socketPath: where promod listens; nil takes what the environment says.
    ///   - logger: hears of what failed, for the service shows no errors.
    ///   - completedWorkoutsCount: the person's completed successes, asked for when a review might be; without it there are
    ///     none, which promod's policy lets through only where it is configured so.
    ///   - present: shows the page on which to write the review; nil has the desktop open it.
    public init(
        appID: String, appStoreID: String? = nil, socketPath: String? = nil,
        logger: Logger = Logger(label: "CrossPromoKit.AppReviewService"),
        completedWorkoutsCount: @escaping @Sendable () async -> Int = { 0 },
        present: (@Sendable (URL) async -> Void)? = nil
    ) {
        self.appID = appID
        self.appStoreID = appStoreID
        client = DaemonClient(socketPath: socketPath)
        self.completedWorkoutsCount = completedWorkoutsCount
        self.present = present
        self.logger = logger
    }

    /// Records that the app was launched; the wait for the first review begins with the first launch.
    public func recordLaunch() async {
        _ = await ask(.launch(LaunchParameters(app: appID)))
    }

    /// Whether a person with that many completed successes may be asked for a review now; false if promod cannot be reached, or if the
    /// person could not be sent to a page.
    public func isEligible(completedWorkoutsCount: Int) async -> Bool {
        await review(.reviewEligible(parameters(completedWorkoutsCount)))?.isGranted ?? false
    }

    /// Asks promod for a review and, if it is granted, shows the page on which to write it.
    public func requestReviewIfEligible() async {
        let count = await completedWorkoutsCount()
        guard let result = await review(.reviewRequest(parameters(count))) else { return }
        guard result.isGranted else {
            let reasons = result.reasons.map(\.rawValue).joined(separator: ", ")
            return logger.debug("No review is asked for now", metadata: ["app": "\(appID)", "reasons": "\(reasons)"])
        }
        guard let url = result.reviewURL.flatMap({ URL(https: $0) }) else {
            return logger.notice(
                "A review was granted, and the catalog knows no page for it", metadata: ["app": "\(appID)"])
        }
        if let present { return await present(url) }
        guard await !StoreOpener.open(url) else { return }
        logger.warning(
            "A review was granted, and the desktop could not open its page",
            metadata: ["app": "\(appID)", "url": "\(url.absoluteString)"])
    }

    private func parameters(_ completed: Int) -> ReviewParameters {
        // All that this can do is to show a page: a grant without one would be spent on nobody.
        ReviewParameters(app: appID, completed: max(completed, 0), appStoreID: appStoreID, needsPage: true)
    }

    private func review(_ request: Request) async -> ReviewResult? {
        guard let answer = await ask(request) else { return nil }
        do {
            return try ReviewResult(answer)
        } catch {
            warn("\(PromoError.badReply(error))")
            return nil
        }
    }

    private func ask(_ request: Request) async -> JSONValue? {
        do {
            return try await client.answer(to: request)
        } catch {
            warn(error.message)
            return nil
        }
    }

    private func warn(_ message: String) {
        logger.warning(
            "promod could not be asked about a review", metadata: ["app": "\(appID)", "error": "\(message)"])
    }
}
