import PromoWire
import Testing

/// The reasons and codes of the protocol's table.
struct ErrorReasonTests {
    private static let table: [(String, Int)] = [
        ("parse-error", -32700), ("invalid-request", -32600), ("unknown-method", -32601), ("invalid-params", -32602),
        ("internal", -32603), ("unknown-app", -32001), ("no-catalog", -32002), ("too-large", -32004),
        ("busy", -32005), ("no-origin", -32006), ("not-stored", -32007), ("bad-configuration", -32008),
        ("unknown-catalog", -32009),
    ]

    @Test(arguments: table)
    func everyReasonHasItsCode(reason: String, code: Int) {
        #expect(ErrorReason(rawValue: reason)?.code == code)
    }

    @Test func thereAreNoOtherReasons() {
        #expect(ErrorReason.allCases.map(\.rawValue) == Self.table.map(\.0))
    }

    @Test func noTwoReasonsShareACode() {
        #expect(Set(ErrorReason.allCases.map(\.code)).count == ErrorReason.allCases.count)
    }
}
