import PromoCore
import PromoWire
import Testing

/// A finding has a line and a column.
struct CatalogPositionTests {
    private static let text = """
        {
          "apps": [
            {
              "id": "-x", "name": 7,
              "appStoreID": "1", "iconURL": "https://example.com/한글.png",
              "category": "금융", "Tagline": {}
            }
          ],
          "promoRules": {"Y": [], "z": ["w"]}
        }
        """

    @Test func aWrongValueIsWhereItBegins() {
        let found = findings(Self.text).map { "\($0.position) \($0.pointer)" }
        #expect(
            found == [
                "4:27 /apps/0/name", "5:37 /apps/0/iconURL", "3:5 /apps/0/tagline", "9:33 /promoRules/z/0",
            ])
    }

    @Test func aWarningAboutANameIsWhereTheNameBegins() {
        let found = warnings(Self.text).map { "\($0.position) \($0.pointer)" }
        #expect(found == ["6:25 /apps/0/Tagline", "4:13 /apps/0/id", "9:18 /promoRules/Y"])
    }

    @Test func theWholeTextIsWhereItsValueBegins() {
        #expect(findings("\n\n []").map(\.position.description) == ["3:2"])
    }
}
