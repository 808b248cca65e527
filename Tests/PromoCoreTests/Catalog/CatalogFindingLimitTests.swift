import PromoCore
import PromoWire
import Testing

struct CatalogFindingLimitTests {
    @Test func aCatalogOfErrorsAloneDoesNotFillTheMemory() {
        let text = #"{"apps":["# + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]}"
        #expect(throws: CatalogError.self) { try AppCatalog(Array(text.utf8)) }
        do {
            _ = try AppCatalog(Array(text.utf8))
        } catch CatalogError.schema(let findings) {
            #expect(findings.count == 1000)
            #expect(findings.last?.message.contains("not listed") == true)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func aLongNameOfARuleIsNotRepeatedWithEachFinding() {
        let name = String(repeating: "\u{1}/~r", count: 25_000)
        let members = Array(repeating: "0", count: 10_000).joined(separator: ",")
        let written = name.replacing("\u{1}", with: "\\u0001")
        let text = "{\"apps\":[{}],\"promoRules\":{\"\(written)\":[\(members)]}}"
        do {
            _ = try AppCatalog(Array(text.utf8))
        } catch CatalogError.schema(let findings) {
            #expect(findings.count == 1000)
            #expect(findings.allSatisfy { $0.text.utf8.count < 600 })
            #expect(findings.reduce(0) { $0 + $1.text.utf8.count } < 1 << 20)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func theFailureOfACatalogIsShortAndPrintableWhateverTheCatalogHolds() throws {
        let name = String(repeating: "\u{1B}[31m\u{7}\n\u{202E}\u{200F}", count: 2000)
        let written = name.replacing("\u{1B}", with: "\\u001b").replacing("\u{7}", with: "\\u0007")
            .replacing("\n", with: "\\n")
        let text = #"{"apps":[],"promoRules":{"\#(written)":0}}"#
        let error = #expect(throws: CatalogError.self) { try AppCatalog(Array(text.utf8)) }
        let message = try #require(error).failure.message
        #expect(message.unicodeScalars.count <= Failure.maximumLength)
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && ![0x7F, 0x200F, 0x202E].contains($0.value) })
    }
}
