import PromoCore
import PromoWire
import Testing

/// The failure of a fetch that brought an invalid catalog.
struct CatalogFailureTests {
    private static func failure(_ text: String) throws -> Failure {
        try #require(catalogError(Array(text.utf8))).failure
    }

    @Test func aTextThatIsNotJSONIsAFailureOfJSONWithItsPosition() throws {
        let failure = try Self.failure("{\"apps\":\n  oops}")
        #expect(failure.code == .json)
        #expect(failure.message.contains("not strict JSON"))
        #expect(failure.message.contains("at byte 11 (line 2, column 3)"))
    }

    @Test(arguments: [
        "<!DOCTYPE html>", "\n <html lang=\"en\"><p>502", "<?xml version=\"1.0\"?>\n<!doctype HTML PUBLIC \"x\">",
        "\u{FEFF}<!-- hotel --><HEAD>",
    ])
    func anHTMLPageIsRecognised(text: String) throws {
        let failure = try Self.failure(text)
        #expect(failure.code == .json)
        #expect(failure.message.contains("an HTML page"))
    }

    @Test func anHTMLPageMayBeInAnyEncoding() {
        #expect(catalogError(Array("<html>caf".utf8) + [0xE9]) == .html)
    }

    @Test(arguments: ["<catalog/>", "<", "", "html", "{\"<html>\"}", "[\"<html>\""])
    func otherTextIsNotTakenForAnHTMLPage(text: String) throws {
        let message = try Self.failure(text).message
        #expect(!message.contains("HTML"))
    }

    @Test func aBrokenRuleIsAFailureOfTheSchemaWithItsPosition() throws {
        let failure = try Self.failure(catalog([app("a", ["name": nil])]))
        #expect(failure.code == .schema)
        #expect(failure.message.contains("line 1, column 10, /apps/0/name: "))
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
