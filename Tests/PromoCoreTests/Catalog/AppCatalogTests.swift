import PromoCore
import PromoWire
import Testing

/// Reading a catalog.
struct AppCatalogTests {
    private static let finepocket = try? AppCatalog(Fixture.catalog("finepocket"))

    @Test func theAppsKeepTheirOrder() {
        #expect(Self.finepocket?.apps.map(\.id) == ["finebill", "bookary", "finepomo", "stedio", "littory"])
    }

    @Test func everyMemberOfAnAppIsRead() throws {
        let app = try #require(Self.finepocket?.apps.first)
        #expect(app.id == "finebill")
        #expect(app.name == "FineBill")
        #expect(app.appStoreID == "6470000001")
        #expect(app.iconURL == "https://raw.githubusercontent.com/finepocket/catalog/main/icons/finebill.png")
        #expect(app.category == LocalizedText(en: "\u{AE08}\u{C735}"))
        #expect(app.tagline.en == "Every bill, paid on time")
        #expect(app.tagline.ko?.text.unicodeScalars.first == "\u{BAA8}")
        #expect(app.tagline.ja?.text.unicodeScalars.first == "\u{3059}")
    }

    @Test func theRulesAreRead() {
        #expect(Self.finepocket?.promoRules == ["finebill": ["finepomo", "bookary"], "littory": []])
    }

    @Test func escapesMeanTheSame() throws {
        let text = catalog([app("bookary", ["name": #""\u0042ook\u0061ry\ud83d\ude00""#])])
        #expect(try AppCatalog(Array(text.utf8)).apps.first?.name == "Bookary\u{1F600}")
    }

    @Test func thePageInTheStoreIsMadeOfTheNumber() {
        #expect(Self.finepocket?.apps.first?.listed(in: .en).storeURL == "https://apps.apple.com/app/id6470000001")
    }

    @Test func theSameBytesMakeTheSameCatalog() throws {
        #expect(try AppCatalog(Fixture.catalog("finepocket")) == Self.finepocket)
        #expect(try AppCatalog(Fixture.catalog("valid/one-app")) != Self.finepocket)
    }
}
