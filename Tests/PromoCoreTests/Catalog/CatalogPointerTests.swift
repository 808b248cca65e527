import PromoCore
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

    @Test func aFindingIsShownWithItsPointer() throws {
        let finding = try #require(findings(catalog([app("a", ["name": nil])])).first)
        #expect("\(finding)" == "/apps/0/name: \(finding.message)")
    }

    @Test func theWholeTextIsShownInWords() throws {
        let finding = try #require(findings("[]").first)
        #expect("\(finding)" == "(root): \(finding.message)")
    }
}
