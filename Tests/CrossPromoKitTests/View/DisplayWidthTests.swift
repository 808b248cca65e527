import CrossPromoKit
import Testing

/// Columns on a terminal.
struct DisplayWidthTests {
    @Test(arguments: [("FineBill", 8), ("독서", 4), ("日本語", 6), ("é", 1), ("🍅", 2), ("", 0)])
    func aTextTakesTheColumnsOfItsCharacters(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }
}
