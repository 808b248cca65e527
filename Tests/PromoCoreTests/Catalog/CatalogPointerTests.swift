import PromoCore
import PromoWire
import Testing

/// A position in a catalog is a JSON Pointer (RFC 6901).
struct CatalogPointerTests {
    private static let hosts: [(String, String)] = [
        ("a/b", "a~1b"), ("a~b", "a~0b"), ("~1", "~01"), ("/", "~1"), ("~", "~0"), ("~/", "~0~1"), ("", ""),
        ("a b", "a b"), ("\u{D55C}", "\u{D55C}"), (#"\u002f"#, "~1"), ("/\u{301}", "~1\u{301}"),
        ("~\u{338}", "~0\u{338}"), ("a/\u{200D}b", "a~1\u{200D}b"),
    ]

    @Test(arguments: hosts)
    func aHostIsEscapedInAPointer(host: String, token: String) throws {
        let found = findings(catalog([app()], rules: "{\"\(host)\":[\"ghost\"]}"))
        let pointer = try #require(found.first).pointer
        #expect(Array(pointer.unicodeScalars) == Array("/promoRules/\(token)/0".unicodeScalars))
    }

    @Test func aFailureNamesThePointerOfTheFirstFinding() throws {
        let text = catalog([app("a", ["name": nil])])
        let finding = try #require(findings(text).first)
        let failure = try #require(catalogError(Array(text.utf8))?.failure)
        #expect(failure.message.hasSuffix("column 10, /apps/0/name: \(finding.message)"))
    }

    @Test func aFailureNamesTheWholeTextInWords() throws {
        let finding = try #require(findings("[]").first)
        let failure = try #require(catalogError(Array("[]".utf8))?.failure)
        #expect(failure.message == "The catalog breaks a rule at line 1, column 1, (root): \(finding.message)")
    }
}
