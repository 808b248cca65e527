extension ValueSchema {
    /// All events: the value of the member `event`, the schema of `params`, and the event in one sentence.
    package static let events = [
        event("impression", "An app was seen.", about + shown),
        event("tap", "An app was tapped.", about + shown),
        event(
            "catalog", "A catalog's generation or state changed, or why its last fetch failed, if it did.",
            about + [
                Property("state", Freshness.State.schema, "how fresh it is, as in list"),
                Property("generation", .nullable(.string), "the generation that is served now; null if nothing is"),
            ]),
        event(
            "icons", "Icons that clients requested have arrived.",
            about + [Property("stored", .integer, "how many pictures")]),
        event("lagged", "The subscriber fell too far behind, and the daemon ends the connection.", []),
    ]

    /// Any event, also of a kind that a newer promod adds.
    package static let anyEvent: ValueSchema = any(
        of: events.map(\.schema) + [.object(head(.string)).named("OtherEvent")]
    ).named(
        "Event")

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

    private static func event(_ name: String, _ summary: String, _ members: [Property]) -> Property {
        let title = name.prefix(1).uppercased() + name.dropFirst() + "Event"
        return Property(name, .object(head(.choice([name])) + members).named(title), summary)
    }

    private static func head(_ kind: ValueSchema) -> [Property] {
        [
            Property(
                "seq", .integer, "its number since the daemon started; for lagged, all up to it were sent"),
            Property("event", kind, "the kind of the event"),
        ]
    }
}
