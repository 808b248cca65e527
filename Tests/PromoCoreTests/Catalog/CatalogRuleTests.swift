import PromoCore
import PromoWire
import Testing

/// Each broken rule is found, all at once, where it is, with what a value must be and what it is instead.
struct CatalogRuleTests {
    private static let members = ["id", "name", "appStoreID", "iconURL", "category", "tagline"]
    private static let ids = [
        "", "A", "a_b", "a b", "a.b", "a/b", "\u{D55C}", "\u{E9}", "a\\n", "a\\u0000", " a", "\u{FF41}",
        String(repeating: "a", count: AppID.maximumLength + 1),
    ]
    private static let numbers = [
        "", "id1", "1.0", "-1", "+1", "1 ", "\u{0661}", "\u{FF11}", "1e3", "0x1", "1\\n",
        String(repeating: "1", count: StoreNumber.maximumLength + 1),
    ]
    private static let address = "https://example.com/" + String(repeating: "a", count: HTTPSURL.maximumLength - 20)

    private static let values: [CatalogCase] =
        members.flatMap { member -> [CatalogCase] in
            let isNumber = member == "appStoreID"
            let none: [String: String?] = isNumber ? ["storeURLs": nil] : [:]
            return [
                CatalogCase([member: "7"], findings: [member], says: ["\"\(member)\" must be ", "not a number"]),
                CatalogCase(none.merging([member: "null"]) { $1 }, findings: [member], says: ["not null"]),
                CatalogCase(
                    none.merging([member: nil]) { $1 }, findings: [member], says: ["is missing. It must be"]),
                CatalogCase([member: "true"], findings: [member]), CatalogCase([member: "[]"], findings: [member]),
                CatalogCase([member: #""""#], findings: [member]),
                CatalogCase(
                    [member: "{}"], findings: ["category", "tagline"].contains(member) ? ["\(member)/en"] : [member]),
            ]
        } + ids.map { CatalogCase(["id": "\"\($0)\""], findings: ["id"]) }
        + numbers.map { CatalogCase(["appStoreID": "\"\($0)\""], findings: ["appStoreID"]) }

    private static let texts = [
        CatalogCase(["category": #"{"ko":"독서"}"#], findings: ["category/en"]),
        CatalogCase(["category": #"{"en":""}"#], findings: ["category/en"]),
        CatalogCase(["category": #"{"en":"Books","ko":5}"#], findings: ["category/ko"]),
        CatalogCase(["tagline": #"{"en":null}"#], findings: ["tagline/en"]),
        CatalogCase(
            ["tagline": #"{"en":1,"ko":2,"ja":false}"#], findings: ["tagline/en", "tagline/ko", "tagline/ja"]),
        CatalogCase(["tagline": #"{"en":"x","ko":"","ja":null}"#]),
        CatalogCase(
            ["iconURL": #""http://a/""#], findings: ["iconURL"],
            says: ["must be an https address with a host, such as https://", "not \"http://a/\""]),
        CatalogCase(["iconURL": #""sf-symbol://book.fill""#], findings: ["iconURL"], says: ["SF Symbol"]),
        CatalogCase(["iconURL": #""SF-Symbol:book""#], findings: ["iconURL"], says: ["publish the icon"]),
        CatalogCase(["iconURL": "\"\(address)\""]),
        CatalogCase(["iconURL": "\"\(address)a\""], findings: ["iconURL"], says: ["\(HTTPSURL.maximumLength) bytes"]),
    ]

    /// A character that no id has, or of which nothing can be seen, is named by its number.
    private static let odd = [
        CatalogCase(["id": #""b\u043e\u043ekary""#], findings: ["id"], says: ["which has “о” (U+043E)."]),
        CatalogCase(["id": #""bookary\u200b""#], findings: ["id"], says: ["which has the character U+200B."]),
        CatalogCase(["id": #""book ary""#], findings: ["id"], says: ["which has a blank (U+0020)."]),
        CatalogCase(["appStoreID": #""\u0661""#], findings: ["appStoreID"], says: ["(U+0661)."]),
        CatalogCase(
            ["name": #""\u3164""#], findings: ["name"], warnings: ["name"], says: ["which has the character U+3164."]),
    ]

    private static let wholes = [
        CatalogCase("[]", findings: [""]), CatalogCase("1", findings: [""]), CatalogCase("null", findings: [""]),
        CatalogCase(#"{"apps":[{}]}"#, findings: members.map { "/apps/0/\($0)" }),
        CatalogCase(catalog([app(), "null", "7", "[]"]), findings: ["/apps/1", "/apps/2", "/apps/3"]),
        CatalogCase(#"{"promoRules":[]}"#, findings: ["/apps", "/promoRules"]),
        CatalogCase(
            #"{"apps":{},"promoRules":{"x":1}}"#, findings: ["/apps", "/promoRules/x"], says: ["one promotes nothing"]),
        CatalogCase(#"{"apps":[],"promoRules":{"abc":["a"]}}"#, findings: ["/apps", "/promoRules/abc/0"]),
        CatalogCase(
            catalog([app("a"), app("b"), app("a"), app("a"), app("b")]),
            findings: ["/apps/2/id", "/apps/3/id", "/apps/4/id"],
            says: ["/apps/0 already has it", "/apps/1 already has it"]),
        CatalogCase(catalog([app("a", ["name": nil]), app("a")]), findings: ["/apps/0/name", "/apps/1/id"]),
        CatalogCase(catalog([app("A")], rules: #"{"xyz":["A"]}"#), findings: ["/apps/0/id"]),
        CatalogCase(
            catalog([app("abc", ["name": nil])], rules: #"{"xyz":["abc","ghost",1],"vwx":{},"uvw":null}"#),
            findings: ["/apps/0/name", "/promoRules/xyz/1", "/promoRules/xyz/2", "/promoRules/vwx", "/promoRules/uvw"]),
    ]

    private static let rules = [
        CatalogCase(rules: #"{"xyz":["bookray"]}"#, findings: ["/xyz/0"], says: ["Did you mean \"bookary\"?"]),
        CatalogCase(rules: #"{"xyz":["ghost"]}"#, findings: ["/xyz/0"], says: ["No app has the id \"ghost\"."]),
        CatalogCase(rules: #"{"xyz":[""]}"#, findings: ["/xyz/0"]),
        CatalogCase(
            rules: #"{"xyz":["bookary\u00a0"]}"#, findings: ["/xyz/0"],
            says: ["which has a blank (U+00A0). Did you mean \"bookary\"?"]),
        CatalogCase(rules: #"{"bookary":["bookary","finebill","finebill"],"finebill":[]}"#), CatalogCase(rules: "null"),
    ]

    private static let page = #"{"linux":"https://store.example/bookary"}"#

    private static let storeCases = [
        CatalogCase(["appStoreID": nil, "storeURLs": page]), CatalogCase(["appStoreID": "null", "storeURLs": page]),
        CatalogCase(["appStoreID": "7", "storeURLs": page], findings: ["appStoreID"]),
        CatalogCase(
            ["appStoreID": nil, "storeURLs": nil], findings: ["appStoreID"],
            says: ["unless \"storeURLs\" has a page for \"linux\""]),
        CatalogCase(
            ["appStoreID": nil, "storeURLs": #"{"linux":"http://store.example/"}"#], findings: ["appStoreID"],
            warnings: ["storeURLs/linux"]),
        CatalogCase(
            ["appStoreID": nil, "storeURLs": #"{"windows":"https://store.example/"}"#], findings: ["appStoreID"],
            warnings: ["storeURLs/windows"]),
    ]

    /// The schema is tested with these, too.
    static let all = values + texts + odd + wholes + rules + storeCases

    @Test(arguments: all)
    func eachBrokenRuleIsFoundWhereItIs(rule: CatalogCase) { rule.check() }
}
