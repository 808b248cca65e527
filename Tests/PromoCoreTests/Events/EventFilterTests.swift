import PromoCore
import PromoWire
import Testing

/// The events of a log that a filter selects.
struct EventFilterTests {
    private static let all: [Event] = [
        .impression(app: "a", host: "x"), .tap(app: "a", host: "x"), .tap(app: "a", host: "y"),
        .tap(app: "a", host: nil), .impression(app: "x", host: "y"), .catalog(state: .fresh, generation: "g"),
    ]

    private static let filters: [(EventFilter, [Int])] = [
        (EventFilter(), [1, 2, 3, 4, 5, 6]), (EventFilter(kinds: [.tap]), [2, 3, 4]),
        (EventFilter(kinds: [.impression, .catalog]), [1, 5, 6]), (EventFilter(host: "x"), [1, 2, 6]),
        (EventFilter(host: "y"), [3, 5, 6]), (EventFilter(host: "nobody"), [6]), (EventFilter(host: ""), [6]),
        (EventFilter(kinds: [.tap], host: "x"), [2]), (EventFilter(kinds: [.catalog], host: "x"), [6]),
    ]

    @Test(arguments: filters)
    func aFilterSelectsByKindAndHostAndLetsCatalogEventsPass(filter: EventFilter, selected: [Int]) {
        var log = EventLog()
        for event in Self.all { log.append(event, at: .start) }
        #expect((1...Self.all.count).filter { log.line($0, for: filter) != nil } == selected)
    }

    @Test(
        arguments: [(nil, [1, 2, 3, 4]), ("default", [1, 3]), ("acme", [2, 4]), ("none", [])] as [(String?, [Int])])
    func aFilterSelectsByCatalog(_ catalog: String?, _ selected: [Int]) {
        let events: [Event] = [
            .tap(app: "a", host: nil), .tap(app: "a", host: nil, catalog: "acme"),
            .catalog(state: .fresh, generation: nil), .catalog(state: .fresh, generation: nil, catalog: "acme"),
        ]
        var log = EventLog()
        for event in events { log.append(event, at: .start) }
        #expect((1...4).filter { log.line($0, for: EventFilter(catalog: catalog)) != nil } == selected)
    }

    @Test func theKindsAreListedOnceAndInOrder() {
        #expect(EventFilter().kinds == [.impression, .tap, .catalog, .icons])
        #expect(EventFilter(kinds: [.catalog, .tap, .catalog, .impression]).kinds == [.impression, .tap, .catalog])
        #expect(EventFilter(kinds: [.catalog, .impression]).kinds == [.impression, .catalog])
    }
}
