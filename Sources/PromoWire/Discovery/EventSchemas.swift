/// A notification that `subscribe` sends.
package struct EventDescription: Sendable {
    /// The value of its member `event`.
    let name: String
    /// The name of the schema of its `params`.
    let title: String
    /// The event, in one sentence.
    let summary: String
    package let params: ValueSchema
}

extension ValueSchema {
    /// All events.
    package static let events = [
        event("impression", "ImpressionEvent", "An app was seen.", about + shown),
        event("tap", "TapEvent", "An app was tapped.", about + shown),
        event(
            "catalog", "CatalogEvent",
            "A catalog's generation or state changed.",
            about + [
                Property("state", Freshness.State.schema, "how fresh it is, as in list"),
                Property("generation", .nullable(.string), "the generation that is served now; null if nothing is"),
            ]),
        event(
            "icons", "IconsEvent", "Pictures arrived for which clients had asked.",
            about + [Property("stored", .integer, "how many pictures")]),
        event(
            "lagged", "LaggedEvent", "The subscriber fell too far behind, and the daemon ends the connection.", []),
    ]

    private static let about = [
        Property("at", .time, "when it happened"), Property("catalog", .string, "the name of its catalog"),
    ]

    private static let shown = [
        Property("app", .string, "the id of the app"),
        Property("host", .nullable(.string), "the id of the app that showed it; null if the client did not say"),
        Property(
            "source", .choice([Freshness.Source.sample.rawValue]), "if the app is one of the sample's",
            isRequired: false),
    ]

    private static func event(_ name: String, _ title: String, _ summary: String, _ members: [Property])
        -> EventDescription
    {
        let head = [
            Property(
                "seq", .integer, "its number since the daemon started; of lagged, that up to which all were sent"),
            Property("event", .choice([name]), "the kind of the event"),
        ]
        return EventDescription(
            name: name, title: title, summary: summary, params: .object(head + members).named(title))
    }
}
