/// The parameters of `tap`.
package struct TapParameters: Equatable, Sendable {
    /// The id of the app that was tapped.
    package var app: String
    /// The id of the app that showed it.
    package var host: String?
    /// The language of the offline message; nil for the daemon's own.
    package var language: Language?

    /// Creates parameters; those that are nil are left out.
    package init(app: String, host: String? = nil, language: Language? = nil) {
        (self.app, self.host, self.language) = (app, host, language)
    }
}

/// The parameters of `impression`.
package struct ImpressionParameters: Equatable, Sendable {
    /// The maximum number of apps in one call.
    package static let maximumApps = 100

    /// The ids of the apps that were seen, 1 to 100.
    package var apps: [String]
    /// The id of the app that showed them.
    package var host: String?

    /// Creates parameters; a nil host is left out.
    package init(apps: [String], host: String? = nil) {
        (self.apps, self.host) = (apps, host)
    }
}

/// The parameters of `subscribe`.
package struct SubscribeParameters: Equatable, Sendable {
    /// The kinds of events to send; nil for all.
    package var events: [EventKind]?
    /// The id of the only host whose impressions and taps to send; nil for all hosts.
    package var host: String?
    /// The sequence number after which to replay events, 0 or more; nil to replay none.
    package var since: Int?
    /// The identifier of the daemon's run in which `since` was counted.
    package var epoch: String?

    /// Creates parameters; those that are nil are left out.
    package init(events: [EventKind]? = nil, host: String? = nil, since: Int? = nil, epoch: String? = nil) {
        (self.events, self.host, self.since, self.epoch) = (events, host, since, epoch)
    }
}

extension MethodTable {
    static let tap = MethodSignature(
        "tap", "Says where to send the person who tapped an app, and emits a tap event.",
        [.knownApp(\.app), .host(\.host), .language(\.language) { Language(tag: $0) }], from: TapParameters(app: ""),
        result: TapResult.schema, errors: [.unknownApp, .noCatalog], mayCauseEvents: true, make: Request.Method.tap)

    static let impression = MethodSignature(
        "impression", "Emits an impression event for each app that was seen, or none if one of them is unknown.",
        [
            Parameter(
                "apps", .texts(1...ImpressionParameters.maximumApps, AppID.id(orShown:)), \.apps, "app ids",
                isRequired: true, meantBy: ["app", "ids", "appIDs", "app_ids"]),
            .host(\.host),
        ], from: ImpressionParameters(apps: []), result: ImpressionResult.schema, errors: [.unknownApp, .noCatalog],
        mayCauseEvents: true, make: Request.Method.impression)

    static let subscribe = MethodSignature(
        "subscribe", "Sends events on this connection, one per line, as notifications of the method \"event\".",
        [
            Parameter(
                "events", .events, \.events, "the kinds to send, all by default",
                meantBy: ["event", "types", "kinds"]),
            .host(
                \.host, "the id of the only app whose impressions and taps to send",
                meantBy: ["currentAppID", "currentApp", "app", "hostID", "host_id"]),
            Parameter(
                "since", .integer(atLeast: 0), \.since, "the seq after which to replay events",
                meantBy: ["seq", "after", "from"]),
            Parameter(
                "epoch", .text { $0.ascii(upTo: 64) ?? "" }, \.epoch, "the daemon run in which since was counted",
                meantBy: ["start"]),
        ], from: SubscribeParameters(), catalog: .catalog("the only one whose events to send"),
        result: SubscribeResult.schema,
        make: Request.Method.subscribe)
}
