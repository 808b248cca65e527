import PromoCore
import PromoWire
import Testing

/// The events of a log that a filter selects.
struct EventFilterTests {
    private static let all: [Event] = [
        .impression(app: "a", host: "x"), .tap(app: "a", host: "x"), .tap(app: "a", host: "y"),
        .tap(app: "a", host: nil, catalog: "acme"), .impression(app: "x", host: "y"),
        .catalog(state: .fresh, generation: "g"), .catalog(state: .fresh, generation: nil, catalog: "acme"),
    ]

    private static let filters: [(EventFilter, [Int])] = [
        (EventFilter(), [1, 2, 3, 4, 5, 6, 7]), (EventFilter(kinds: [.tap]), [2, 3, 4]),
        (EventFilter(kinds: [.impression, .catalog]), [1, 5, 6, 7]), (EventFilter(host: "x"), [1, 2, 6, 7]),
        (EventFilter(host: "y"), [3, 5, 6, 7]), (EventFilter(host: "nobody"), [6, 7]), (EventFilter(host: ""), [6, 7]),
        (EventFilter(kinds: [.tap], host: "x"), [2]), (EventFilter(kinds: [.catalog], host: "x"), [6, 7]),
        (EventFilter(catalog: "default"), [1, 2, 3, 5, 6]), (EventFilter(catalog: "acme"), [4, 7]),
        (EventFilter(catalog: "none"), []),
    ]

    @Test(arguments: filters)
    func aFilterSelectsByKindHostAndCatalogAndNoHostExcludesCatalogEvents(filter: EventFilter, selected: [Int]) {
        var log = EventLog()
        for event in Self.all { log.append(event, at: .start) }
        #expect((1...Self.all.count).filter { log.line($0, for: filter) != nil } == selected)
    }

    @Test func theKindsAreListedOnceAndInOrder() {
        #expect(EventFilter().kinds == EventKind.allCases)
        #expect(EventFilter(kinds: [.catalog, .tap, .catalog, .impression]).kinds == [.impression, .tap, .catalog])
    }
}
