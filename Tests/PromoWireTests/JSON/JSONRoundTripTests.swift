import PromoTestSupport
import PromoWire
import Testing

/// The reader reads back what the writer wrote.
struct JSONRoundTripTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func aRandomTreeComesBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let tree = JSONTree.random(depth: 5, using: &generator)
            let document = try JSONDocument(tree.json, maximumDepth: 6)
            #expect(JSONTree(document.root) == tree)
            #expect(document.root.text.elementsEqual(tree.json))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func aTextComesBackWhenEachOfItsCodeUnitsIsEscaped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let text = String.randomText(using: &generator)
            let escaped = text.utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            #expect(try json("\"\(escaped.joined())\"").isString(text))
        }
    }
}
