/// The table of the protocol's methods, from which requests are dispatched and `rpc.discover` is generated.
package enum MethodTable {
    /// All methods, in the order in which they are listed.
    package static let all: [MethodDescription] = [
        list, icon, tap, impression, launch, reviewEligible, reviewRequest, reviewReset, refresh, clear, subscribe,
        status, reload, discover,
    ]

    /// The method with a name; nil if there is none.
    package static func method(named name: String) -> MethodDescription? {
        all.first { $0.name == name }
    }

    /// The method that a value names; nil if there is none.
    static func method(named value: JSONValue) -> MethodDescription? {
        all.first { value.isString($0.name) }
    }

    static let list = MethodDescription(
        "list", "Lists the apps that an app may promote, in the catalog's order, and says how fresh the list is.",
        .list(ListParameters()), result: ListResult.schema, isRepeatable: true)

    static let icon = MethodDescription(
        "icon", "Returns the picture of an app, for a client that cannot read the file that list names.",
        .command(.icon(app: "")), result: IconResult.schema, errors: [.unknownApp, .noCatalog], isRepeatable: true)

    static let tap = MethodDescription(
        "tap", "Says where to send the person who tapped an app, and emits a tap event.", .tap(TapParameters(app: "")),
        result: TapResult.schema, errors: [.unknownApp, .noCatalog])

    static let impression = MethodDescription(
        "impression", "Emits an impression event for each app that was seen, or none if one of them is unknown.",
        .impression(ImpressionParameters(apps: [])), result: ImpressionResult.schema,
        errors: [.unknownApp, .noCatalog])

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

    static let refresh = MethodDescription(
        "refresh", "Fetches the catalog now.", .command(.refresh(RefreshParameters())), result: RefreshResult.schema,
        errors: [.noOrigin])

    static let clear = MethodDescription(
        "clear", "Deletes the cached catalog and fetches it again as soon as that is allowed.", .command(.clear()),
        result: ClearResult.schema, errors: [.notStored, .onlyCopy])

    static let subscribe = MethodDescription(
        "subscribe", "Sends events on this connection, one per line, as notifications of the method \"event\".",
        .subscribe(SubscribeParameters()), catalog: "the only one whose events are sent",
        result: SubscribeResult.schema)

    static let status = MethodDescription(
        "status", "Reports the state of the daemon.", .status, catalog: "the only one that is reported",
        result: StatusResult.schema,
        isRepeatable: true)

    static let reload = MethodDescription(
        "reload", "Reads the configuration again.", .command(.reload), catalog: nil, result: ReloadResult.schema,
        errors: [.badConfiguration])

    static let discover = MethodDescription(
        "rpc.discover", "Returns this document.", .discover, catalog: nil,
        result: ValueSchema.object([]).named("DiscoverResult"),
        isRepeatable: true)
}
