import PromoCore
import PromoWire
import Testing

/// A finding has a line, a column and a JSON Pointer (RFC 6901), and a failure names the first.
struct CatalogPlaceTests {
    private static let text = """
        {
          "apps": [
            {
              "id": "-x", "name": 7, "storeURLs": {"linux": "https://example.com/"},
              "appStoreID": "1", "iconURL": "https://한글.example/i.png",
              "category": "금융", "Tagline": {}
            }
          ],
          "promoRules": {"Y": [], "z": ["w"]}
        }
        """

    @Test func aWrongValueIsWhereItBeginsAndAWarningAboutANameWhereTheNameBegins() {
        #expect(
            findings(Self.text).map { "\($0.position) \($0.pointer)" } == [
                "4:27 /apps/0/name", "5:37 /apps/0/iconURL", "3:5 /apps/0/tagline", "9:33 /promoRules/z/0",
            ])
        let found = warnings(Self.text).map { "\($0.position) \($0.pointer)" }
        #expect(found == ["6:25 /apps/0/Tagline", "4:13 /apps/0/id", "9:18 /promoRules/Y"])
        #expect(findings("\n\n []").map(\.position.description) == ["3:2"])
    }

    private static let hosts: [(String, String)] = [
        ("a/b", "a~1b"), ("~1", "~01"), ("~/", "~0~1"), ("", ""), (#"\u002f"#, "~1"), ("~\u{338}", "~0\u{338}"),
    ]

    @Test(arguments: hosts)
    func aHostIsEscapedInAPointer(host: String, token: String) throws {
        let found = findings(catalog([app()], rules: "{\"\(host)\":[\"ghost\"]}"))
        let pointer = try #require(found.first).pointer
        #expect(Array(pointer.unicodeScalars) == Array("/promoRules/\(token)/0".unicodeScalars))
    }

    private static let failures = [
        (catalog([app("a", ["name": nil])]), "The catalog breaks a rule at line 1, column 10, /apps/0/name: ", 0),
        (
            catalog([app("a", ["name": nil, "category": nil])]),
            "The catalog breaks a rule at line 1, column 10, /apps/0/name: ", 1
        ),
        ("[]", "The catalog breaks a rule at line 1, column 1, (root): ", 0),
        (#"{"apps":[{}]}"#, "The catalog breaks a rule at line 1, column 10, /apps/0/id: ", 5),
    ]

    @Test(arguments: failures)
    func aFailureNamesTheFirstFindingAndCountsTheOthers(text: String, start: String, others: Int) throws {
        let failure = try #require(catalogError(Array(text.utf8))).failure
        let rest = others > 0 ? " And \(others) more; promod validate lists them." : ""
        #expect(failure == Failure(.schema, start + (try #require(findings(text).first)).message + rest))
    }
}
