import PromoCore
import PromoWire
import Testing

/// What a fetch that brought no catalog says.
struct CatalogFailureTests {
    private static func failure(_ text: String) throws -> Failure {
        try #require(catalogError(Array(text.utf8))).failure
    }

    @Test func aTextThatIsNoJSONIsAFailureOfJSONWithItsOffset() throws {
        let failure = try Self.failure("<!DOCTYPE html>")
        #expect(failure.code == .json)
        #expect(failure.message == "The catalog is no strict JSON text: expected a JSON value at byte 0.")
    }

    @Test func aBrokenRuleIsAFailureOfTheSchemaWithItsSpot() throws {
        let failure = try Self.failure(catalog([app("a", ["name": nil])]))
        #expect(failure.code == .schema)
        #expect(failure.message.contains("/apps/0/name: "))
        #expect(!failure.message.contains("more"))
    }

    @Test func ofSeveralBrokenRulesTheFirstIsShownAndTheRestCounted() throws {
        let failure = try Self.failure(#"{"apps":[{}]}"#)
        #expect(failure.message.contains("/apps/0/id: "))
        #expect(!failure.message.contains("/apps/0/name"))
        #expect(failure.message.contains("5 more"))
        #expect(failure.message.contains("promod validate"))
    }
}
