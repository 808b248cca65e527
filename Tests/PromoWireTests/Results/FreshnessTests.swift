import PromoWire
import Testing

/// The words for the state and the source of a catalog.
struct FreshnessTests {
    @Test func theStatesAreThoseOfTheProtocol() {
        #expect(
            [Freshness.State.loaded, .cached, .loading, .empty].map(\.rawValue) == [
                "loaded", "cached", "loading", "empty",
            ])
    }

    @Test func theSourcesAreThoseOfTheProtocol() {
        #expect([Freshness.Source.origin, .sample, .none].map(\.rawValue) == ["origin", "sample", "none"])
    }
}
