import PromoWire
import Testing

/// How deep arrays and objects may be nested, which a reader may limit (RFC 8259, section 9).
struct JSONDepthTests {
    private static func arrays(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func objects(_ depth: Int) -> String {
        String(repeating: #"{"a":"#, count: depth) + "0" + String(repeating: "}", count: depth)
    }

    @Test func thirtyTwoLevelsAreRead() {
        #expect(jsonError(Self.arrays(32), maximumDepth: 32) == nil)
        #expect(jsonError(Self.objects(32), maximumDepth: 32) == nil)
    }

    @Test func theThirtyThirdLevelIsReportedWhereItOpens() {
        let arrays = jsonError(Self.arrays(33), maximumDepth: 32)
        #expect(arrays?.problem == .tooDeep(limit: 32))
        #expect(arrays?.offset == 32)
        let objects = jsonError(Self.objects(33), maximumDepth: 32)
        #expect(objects?.problem == .tooDeep(limit: 32))
        #expect(objects?.offset == 32 * 5)
    }

    @Test func arraysAndObjectsCountTogether() {
        let text = String(repeating: #"[{"a":"#, count: 16) + "[]" + String(repeating: "}]", count: 16)
        #expect(jsonError(text, maximumDepth: 32)?.problem == .tooDeep(limit: 32))
        #expect(jsonError(text, maximumDepth: 33) == nil)
    }

    @Test func levelsThatWereClosedDoNotCount() {
        let text = "[" + Array(repeating: Self.arrays(31), count: 100).joined(separator: ",") + "]"
        #expect(jsonError(text, maximumDepth: 32) == nil)
    }

    @Test func aValueAloneHasNoDepth() {
        #expect(jsonError("1", maximumDepth: 0) == nil)
        #expect(jsonError("[]", maximumDepth: 0)?.problem == .tooDeep(limit: 0))
    }

    @Test func aHostileNestingIsRefusedBeforeItsEnd() {
        let error = jsonError(String(repeating: "[", count: 100_000), maximumDepth: 32)
        #expect(error?.problem == .tooDeep(limit: 32))
        #expect(error?.offset == 32)
    }
}
