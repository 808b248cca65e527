/// The parameters of `review-eligible` and `review-request`.
package struct ReviewParameters: Equatable, Sendable {
    /// The id of the app that would ask, which need not be in the catalog.
    package var app: String
    /// The number of the person's completed successes, 0 or more.
    package var completed: Int
    /// The https address of the page on which to write the review; nil for that of the catalog.
    package var page: String?
    /// The app's number in the App Store, for an app that is not in the catalog.
    package var appStoreID: String?
    /// Whether the client can only open a page; then nothing is granted unless the page is known and there is a network.
    package var needsPage: Bool

    /// Creates parameters; those that are nil are left out.
    package init(
        app: String, completed: Int, page: String? = nil, appStoreID: String? = nil, needsPage: Bool = false
    ) {
        (self.app, self.completed, self.page) = (app, completed, page)
        (self.appStoreID, self.needsPage) = (appStoreID, needsPage)
    }
}

extension ReviewParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        app = parameter.app(app)
        parameter(
            "completed", .integer(atLeast: 0), &completed, "how many successes the person has completed",
            isRequired: true)
        parameter(
            "page", .httpsAddress, &page, "the page on which to write the review; that of the catalog if it is left out"
        )
        parameter(
            "appStoreID", .storeNumber, &appStoreID, "for the App Store's page, if neither has a page")
        parameter(
            "needsPage", .boolean, &needsPage,
            "whether to refuse unless the review's page is known and there is a network", leftOut: false)
    }
}

extension MethodTable {
    static let launch = MethodDescription(
        "launch", "Records the first launch of an app; later calls change nothing.", .command(.launch(app: "")),
        catalog: nil, result: LaunchResult.schema, errors: [.notStored], isRepeatable: true)

    static let reviewEligible = MethodDescription(
        "review-eligible", "Says whether an app may ask for a review now and, if not, why. Records nothing.",
        .command(.reviewEligible(ReviewParameters(app: "", completed: 0))), result: ReviewResult.eligibilitySchema,
        errors: [.notStored], isRepeatable: true)

    static let reviewRequest = MethodDescription(
        "review-request", "Grants a review if the app may ask for one now, and records the grant before the reply.",
        .command(.reviewRequest(ReviewParameters(app: "", completed: 0))), result: ReviewResult.schema,
        errors: [.notStored])

    static let reviewReset = MethodDescription(
        "review-reset", "Forgets the first launch and the review requests of an app.",
        .command(.reviewReset(app: "")), catalog: nil, result: ReviewResetResult.schema, errors: [.notStored],
        isRepeatable: true)
}
