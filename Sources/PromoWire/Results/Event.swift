/// The kinds of events that a client can subscribe to, in the order in which they are listed.
package enum EventKind: String, Word {
    case impression, tap, catalog, icons

    /// Whether such an event is about one host; the others are about a whole catalog.
    package var hasHost: Bool {
        switch self {
        case .impression, .tap: true
        case .catalog, .icons: false
        }
    }

    private var summary: String {
        switch self {
        case .impression: "An app was seen."
        case .tap: "An app was tapped."
        case .catalog: "A catalog's generation or state changed, or why its last fetch failed, if it did."
        case .icons: "Icons that clients requested have arrived."
        }
    }

    fileprivate var described: ValueSchema.Property {
        var event = Event(self)
        let members = MemberVisitor.properties { event.visitMembers(&$0) }
        return .event(rawValue, summary, members.filter { $0.name != "event" })
    }
}

/// An event, as the `params` of its line. Impressions and taps are kept only in memory.
package struct Event: JSONObject, Equatable {
    /// Its number since the daemon started; 0 before it has one.
    package var seq = 0
    package var at = Timestamp(seconds: 0)
    package private(set) var kind = EventKind.catalog
    /// The name of the catalog.
    package private(set) var catalog = CatalogReference.defaultName
    /// The app that was seen or tapped.
    package private(set) var app = ""
    /// The id of the app that showed it; nil if the client did not name it.
    package private(set) var host: String?
    private var source: Freshness.Source?
    /// How fresh the catalog is.
    package private(set) var state = Freshness.State.empty
    package private(set) var generation: String?
    /// How many pictures have arrived.
    package private(set) var stored = 0

    /// Whether it is about an app of the sample.
    package var isSample: Bool { source == .sample }

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("seq", &seq, ValueSchema.seqMeaning)
        member("at", &at, "when it happened")
        member("event", &kind)
        member("catalog", &catalog, "the name of its catalog")
        switch kind {
        case .impression, .tap:
            member("app", &app, "the id of the app")
            member("host", &host, "the id of the app that showed it; null if the client did not say")
            member.ifPresent("source", &source.growing, "\"sample\" if the app is one of the sample's")
        case .catalog:
            member("state", &state, "how fresh it is, as in list")
            member("generation", &generation, "the generation that is served now; null if nothing is")
        case .icons: member("stored", &stored, "how many pictures")
        }
    }

    init() {}

    fileprivate init(_ kind: EventKind) { self.kind = kind }

    private init(_ kind: EventKind, _ app: String, _ host: String?, _ catalog: String, _ isSample: Bool) {
        (self.kind, self.app, self.host, self.catalog) = (kind, app, host, catalog)
        source = isSample ? .sample : nil
    }

    /// An app was seen.
    package static func impression(
        app: String, host: String?, catalog: String = CatalogReference.defaultName, isSample: Bool = false
    ) -> Event { Event(.impression, app, host, catalog, isSample) }

    /// An app was tapped.
    package static func tap(
        app: String, host: String?, catalog: String = CatalogReference.defaultName, isSample: Bool = false
    ) -> Event { Event(.tap, app, host, catalog, isSample) }

    /// A catalog's generation or state has changed, or why its last fetch failed, if it did.
    package static func catalog(
        state: Freshness.State, generation: String?, catalog: String = CatalogReference.defaultName
    ) -> Event {
        var event = Event(.catalog)
        (event.state, event.generation, event.catalog) = (state, generation, catalog)
        return event
    }

    /// Pictures of a catalog were received.
    package static func icons(stored: Int, catalog: String = CatalogReference.defaultName) -> Event {
        var event = Event(.icons)
        (event.stored, event.catalog) = (stored, catalog)
        return event
    }
}

extension ValueSchema {
    /// All events: the value of the member `event`, the schema of `params`, and the event in one sentence.
    package static let events =
        EventKind.allCases.map(\.described) + [
            .event("lagged", "The subscriber fell too far behind, and the daemon ends the connection.", [seq])
        ]

    /// Any event, also of a kind that a newer promod adds.
    package static let anyEvent: ValueSchema = any(
        of: events.map(\.schema) + [.object([seq, .eventKind(.string)]).named("OtherEvent")]
    ).named("Event")

    fileprivate static let seqMeaning = "its number since the daemon started; for lagged, all up to it were sent"
    private static let seq = Property("seq", .integer, seqMeaning)
}

extension ValueSchema.Property {
    fileprivate static func event(_ name: String, _ summary: String, _ members: [Self]) -> Self {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let title = words.joined() + "Event"
        return Self(name, .object([.eventKind(.choice([name]))] + members).named(title), summary)
    }

    fileprivate static func eventKind(_ schema: ValueSchema) -> Self { Self("event", schema, "the kind of the event") }
}
