import PromoCore
import PromoWire
import Testing

struct CatalogFindingLimitTests {
    @Test func aCatalogOfNothingButFaultsDoesNotFillTheMemory() {
        let text = #"{"apps":["# + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]}"
        #expect(throws: CatalogError.self) { try AppCatalog(Array(text.utf8)) }
        do {
            _ = try AppCatalog(Array(text.utf8))
        } catch CatalogError.schema(let findings) {
            #expect(findings.count == 10_000)
            #expect(findings.last?.message == "There is more that is wrong, and it is not listed.")
        } catch {
            Issue.record("\(error)")
        }
    }
}
