import PromoCore
import PromoWire
import Testing

/// A finding says what a value must be, and what it is instead.
struct CatalogMessageTests {
    private static func message(_ member: String, _ json: String?) -> String {
        findings(catalog([app("a", [member: json])])).first?.message ?? ""
    }

    @Test(arguments: ["id", "name", "appStoreID", "iconURL", "category", "tagline"])
    func aFindingSaysMust(member: String) {
        #expect(Self.message(member, "7").hasPrefix("\"\(member)\" must be "))
        #expect(Self.message(member, "7").contains("not a number"))
        #expect(Self.message(member, "null").contains("not null"))
        #expect(Self.message(member, nil).contains("missing"))
        #expect(Self.message(member, nil).contains("must be"))
    }

    @Test(arguments: [
        "[]", #"{"apps":{}}"#, #"{"apps":[1]}"#, #"{"promoRules":1,"apps":[]}"#,
        catalog([app()], rules: #"{"x":1}"#), catalog([app()], rules: #"{"x":[1]}"#), catalog([app(), app()]),
        catalog([app("a", ["tagline": #"{"en":"x","ko":1}"#])]),
    ])
    func everyRuleMust(text: String) {
        for finding in findings(text) where !finding.message.contains("missing") {
            #expect(finding.message.contains(" must "), "\(finding)")
        }
    }

    @Test func anAddressMustBeHTTPS() {
        let message = Self.message("iconURL", #""http://a/""#)
        #expect(message.contains("must be an https address with a host, such as https://"))
        #expect(message.contains("not \"http://a/\""))
    }

    @Test(arguments: ["sf-symbol://book.fill", "SF-Symbol:book"])
    func anSFSymbolIsRecognised(icon: String) {
        let message = Self.message("iconURL", "\"\(icon)\"")
        #expect(message.contains("must be an https address"))
        #expect(message.contains("SF Symbol"))
        #expect(message.contains("publish the icon"))
    }

    @Test func theFindingForALongAddressNamesTheLimit() {
        let address = "https://example.com/" + String(repeating: "a", count: 8172)
        #expect(Self.message("iconURL", "\"\(address)\"") == "")
        #expect(Self.message("iconURL", "\"\(address)a\"").contains("8192 bytes"))
    }
}
