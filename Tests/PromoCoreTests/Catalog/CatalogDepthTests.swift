import PromoCore
import PromoWire
import Testing

/// A catalog nests at most 64 deep.
struct CatalogDepthTests {
    /// A catalog with an unknown member that is nested to a depth.
    private static func nested(_ depth: Int) -> [UInt8] {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return Array("{\"apps\":[\(app())],\"more\":\(arrays)}".utf8)
    }

    @Test func sixtyFourLevelsAreRead() {
        #expect(AppCatalog.maximumDepth == 64)
        #expect(catalogError(Self.nested(64)) == nil)
    }

    @Test func theSixtyFifthLevelIsNot() {
        guard case .json(let error, _) = catalogError(Self.nested(65)) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .tooDeep(limit: 64))
    }

    @Test func aHostileNestingIsRefusedBeforeItsEnd() {
        let count = 100_000
        let text = "{\"apps\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
        guard case .json(let error, _) = catalogError(Array(text.utf8)) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .tooDeep(limit: 64))
        #expect(error.offset == 8 + 63)
    }
}
