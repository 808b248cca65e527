import PromoWire
import Testing

struct StoreNumberTests {
    @Test(arguments: ["0", "6470000002", String(repeating: "9", count: 32)])
    func digitsMakeANumber(text: String) {
        #expect(StoreNumber.isWellFormed(text))
    }

    @Test(arguments: ["", " ", "1 ", "-1", "1.0", "0x1", "\u{661}", "1\n", String(repeating: "9", count: 33)])
    func otherTextsAreNotNumbers(text: String) {
        #expect(!StoreNumber.isWellFormed(text))
    }
}
