import PromoWire
import Testing

/// The words for the state, the lifecycle and the source of a catalog.
struct FreshnessTests {
    private static let states: [(Freshness.State, String, String)] = [
        (.loaded, "loaded", "valid"), (.cached, "cached", "expired"), (.loading, "loading", "empty"),
        (.empty, "empty", "empty"),
    ]

    @Test(arguments: states)
    func everyStateHasItsWordAndItsLifecycle(state: Freshness.State, word: String, lifecycle: String) {
        #expect(state.rawValue == word)
        #expect(Freshness(state: state, source: .none, generation: nil).lifecycle == lifecycle)
    }

    @Test func theSourcesAreThoseOfTheProtocol() {
        #expect([Freshness.Source.origin, .sample, .none].map(\.rawValue) == ["origin", "sample", "none"])
    }
}
