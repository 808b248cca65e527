/// The parameters of `review-eligible` and `review-request`.
package struct ReviewParameters: Equatable, Sendable {
    /// The id of the app that would ask, which need not be in the catalog.
    package var app: String
    /// The number of the person's completed successes, 0 or more.
    package var completed: Int
    /// The app's number in the App Store, for an app that is not in the catalog.
    package var appStoreID: String?
    /// Whether the client can only open a page; then nothing is granted unless the page is known and there is a network.
    package var needsPage: Bool

    /// Creates parameters; those that are nil are left out.
    package init(app: String, completed: Int, appStoreID: String? = nil, needsPage: Bool = false) {
        (self.app, self.completed, self.appStoreID, self.needsPage) = (app, completed, appStoreID, needsPage)
    }
}

/// The parameters of `review-return`.
package struct ReturnParameters: Equatable, Sendable {
    /// The id of the app.
    package var app: String
    /// When the request was recorded.
    package var requestedAt: Timestamp

    /// Creates parameters.
    package init(app: String, requestedAt: Timestamp) {
        (self.app, self.requestedAt) = (app, requestedAt)
    }
}

extension MethodTable {
    static let launch = MethodSignature(
        "launch", "Records the first launch of an app; later calls change nothing.", [.app(\.self)], from: "",
        result: LaunchResult.schema, errors: [.notStored], isRepeatable: true, waitingGroup: .command
    ) { .command(.launch(app: $0)) }

    static let reviewEligible = MethodSignature(
        "review-eligible", "Says whether an app may ask for a review now and, if not, why. Records nothing.",
        question, from: ReviewParameters(app: "", completed: 0), result: ReviewResult.eligibilitySchema,
        errors: [.notStored],
        isRepeatable: true
    ) { .command(.reviewEligible($0)) }

    static let reviewRequest = MethodSignature(
        "review-request", "Grants a review if the app may ask for one now, and records the grant before the reply.",
        question, from: ReviewParameters(app: "", completed: 0), result: ReviewResult.schema, errors: [.notStored],
        waitingGroup: .command
    ) { .command(.reviewRequest($0)) }

    static let reviewReturn = MethodSignature(
        "review-return", "Gives back a granted review whose page no person could see.",
        [
            .app(\.app),
            Parameter(
                "requestedAt", .time, \.requestedAt, "when the request was recorded, as review-request returned it",
                isRequired: true, meantBy: ["at", "grantedAt", "time", "requested_at"]),
        ], from: ReturnParameters(app: "", requestedAt: Timestamp(seconds: 0)), result: ReviewReturnResult.schema,
        errors: [.notStored], isRepeatable: true, waitingGroup: .command
    ) { .command(.reviewReturn($0)) }

    static let reviewReset = MethodSignature(
        "review-reset", "Forgets the first launch and the review requests of an app.", [.app(\.self)], from: "",
        result: ReviewResetResult.schema, errors: [.notStored], isRepeatable: true, waitingGroup: .command
    ) { .command(.reviewReset(app: $0)) }

    private static let question: [Parameter<ReviewParameters>] = [
        .app(\.app),
        Parameter(
            "completed", .integer(atLeast: 0), \.completed, "how many successes the person has completed",
            isRequired: true,
            meantBy: ["completedWorkoutsCount", "completedCount", "completions", "count", "workouts"]),
        Parameter(
            "appStoreID", .storeNumber, \.appStoreID, "for an app that the catalog does not know",
            meantBy: ["appStoreId", "storeID", "storeId", "app_store_id", "store"]),
        Parameter(
            "needsPage", .boolean, \.needsPage,
            "whether to refuse unless the review's page is known and there is a network", leftOut: false,
            meantBy: ["page", "needs_page"]),
    ]
}
