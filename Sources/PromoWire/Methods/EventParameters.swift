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

extension TapParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        app = parameter.app(app, isKnown: true)
        parameter.host(&host)
        parameter.language(&language) { Language(tag: $0) }
    }
}

extension ImpressionParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter(
            "apps", .texts(1...Self.maximumApps, AppID.id(orShown:)), &apps, "app ids", isRequired: true)
        parameter.host(&host)
    }
}

extension SubscribeParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter(
            "events", .events, &events, "the kinds to send, all by default")
        parameter.host(
            &host, "the id of the only app whose impressions and taps to send")
        parameter(
            "since", .integer(atLeast: 0), &since, "the seq after which to replay events")
        parameter(
            "epoch", .text { $0.ascii(upTo: 64) ?? "" }, &epoch, "the daemon run in which since was counted")
    }
}

extension MethodTable {
    static let tap = MethodDescription(
        "tap", "Says where to send the person who tapped an app, and emits a tap event.", .tap(TapParameters(app: "")),
        result: TapResult.schema, errors: [.unknownApp, .noCatalog], mayCauseEvents: true)

    static let impression = MethodDescription(
        "impression", "Emits an impression event for each app that was seen, or none if one of them is unknown.",
        .impression(ImpressionParameters(apps: [])), result: ImpressionResult.schema,
        errors: [.unknownApp, .noCatalog], mayCauseEvents: true)

    static let subscribe = MethodDescription(
        "subscribe", "Sends events on this connection, one per line, as notifications of the method \"event\".",
        .subscribe(SubscribeParameters()), catalog: "the only one whose events to send",
        result: SubscribeResult.schema)
}
