import Foundation
import PromoTestSupport
import Testing

/// `promoctl list` without a terminal.
struct PromoctlListTests {
    static let sampleNote =
        "These are the made-up apps of promod's sample. \"promoctl setup https://…\" sets your catalog.\n"

    @Test func aRowIsIconNameCategoryAndTaglineAndTheColumnsAreAlignedByDisplayWidth() throws {
        let list = try PromoctlUnderTest(try DaemonUnderTest()).run("list")
        #expect(
            list.output == """
                [FB] FineBill  Finance       Every bill, paid on time
                [Bo] Bookary   Reading       A diary for the books you read
                [FP] FinePomo  Productivity  Focus, one tomato at a time
                [St] Stedio    Education     Your steady study studio
                [Li] Littory   Lifestyle     Little stories, kept

                """)
        #expect(list.error == Self.sampleNote)
        #expect(list.code == 0)
    }

    @Test func aListIsOneRequest() throws {
        let daemon = try DaemonUnderTest()
        _ = try PromoctlUnderTest(daemon).run("list", "--host", "finebill")
        let requests = try daemon.ask(#"{"method":"status"}"#).object("requests").compactMapValues { $0 as? Int }
        // The status itself is the other one.
        #expect(requests == ["list": 1, "status": 1])
    }

    @Test func aPipeGetsTheRowsAloneWithoutColoursLinksOrCuts() throws {
        let origin = try NginxOrigin()
        try origin.publish(try CatalogText.of(CatalogText.endless))
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin)).with(["COLUMNS": "40"])
        let list = try promoctl.shell("promoctl list | cat")
        try #require(list.lines.count == 3)
        #expect(!list.output.contains("\u{1B}"))
        #expect(list.lines[0].hasSuffix(String(repeating: "t", count: 300)))
        #expect(list.lines[0].contains(String(repeating: "W", count: 300)))
        #expect(list.error == "")
    }

    @Test(arguments: [
        (["LANG": "ko_KR.UTF-8"], "모든 청구서를 제때에"),
        (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"], "すべての請求を期日どおりに"),
        (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8", "LC_ALL": "en_US.UTF-8"], "Every bill, paid on time"),
        (["LANG": "ko_KR.UTF-8", "LC_ALL": ""], "모든 청구서를 제때에"),
        (["LANG": "de_DE.UTF-8"], "Every bill, paid on time"), (["LANG": "C"], "Every bill, paid on time"),
    ])
    func theLanguageIsTheCallersLocaleAndNotTheDaemons(locale: [String: String], tagline: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(environment: ["LANG": "ja_JP.UTF-8"])).with(locale)
        #expect(try promoctl.run("list", "--limit", "1").output == "[FB] FineBill  Finance  \(tagline)\n")
        let app = (try promoctl.run("list", "--limit", "1", "--json").json["apps"] as? [[String: Any]])?.first
        #expect(app?["tagline"] as? String == tagline)
    }

    @Test(arguments: [
        ("ko", "꾸준한 공부 스튜디오"), ("ja_JP.UTF-8", "Your steady study studio"), ("en-GB", "Your steady study studio"),
    ])
    func anotherLanguageCanBeAskedForAndAMissingTranslationIsEnglish(tag: String, tagline: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(), environment: ["LANG": "ja_JP.UTF-8"])
        #expect(
            try promoctl.run("list", "--language", tag).lines.dropFirst(3).first
                == "[St] Stedio    Education     \(tagline)")
        let apps = try promoctl.run("list", "--language", tag, "--json").json["apps"] as? [[String: Any]]
        #expect(apps?.dropFirst(3).first?["tagline"] as? String == tagline)
    }

    @Test func aHostIsLeftOutAndItsRuleCounts() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let finebill = try promoctl.run("list", "--host", "finebill")
        #expect(finebill.lines.map { $0.prefix(13) } == ["[Bo] Bookary ", "[FP] FinePomo"])
        #expect(finebill.error == Self.sampleNote)
        let littory = try promoctl.run("list", "--host", "littory")
        #expect(littory.output == "")
        #expect(littory.error == "littory promotes no other app.\n" + Self.sampleNote)
        #expect(littory.code == 0)
    }

    @Test func aHostThatTheCatalogDoesNotKnowIsReported() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let list = try promoctl.run("list", "--host", "finbil", "--limit", "5")
        #expect(list.lines.count == 5)
        #expect(
            list.error == """
                promoctl: No app in the catalog has the id "finbil"; "list" shows those that are there. No rule limits the list.

                """ + Self.sampleNote)
        let far = try promoctl.run("list", "--host", "quite-another")
        #expect(far.error.contains("\"quite-another\""))
        #expect(far.error.hasSuffix(".\n" + Self.sampleNote))
        #expect(try promoctl.run("list", "--host", "finbil", "--json").json["hostKnown"] as? Bool == false)
    }

    @Test func aLimitKeepsTheFirstApps() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let list = try promoctl.run("list", "--limit", "2")
        #expect(list.output.contains("Bookary"))
        #expect(list.lines.count == 2)
        #expect(try promoctl.run("list", "--limit", "100").lines.count == 5)
    }

    @Test func anAppWithoutALetterHasAPlaceholderForItsIcon() throws {
        let origin = try NginxOrigin()
        try origin.publish(
            try CatalogText.of([
                .init(id: "stars", name: "★★★"), .init(id: "tomato", name: "🍅"), .init(id: "one", name: "x"),
                .init(id: "book", name: "독서왕"), .init(id: "digits", name: "2048 Game"),
            ]))
        let list = try PromoctlUnderTest(try DaemonUnderTest.keeping(origin)).run("list")
        #expect(list.lines.map { $0.prefix { $0 != "]" } + "]" } == ["[··]", "[··]", "[X ]", "[독]", "[20]"])
    }

    @Test func aListEmitsNoImpressions() throws {
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        let subscriber = try Subscriber(daemon, #""events":["impression"]"#)
        for arguments in [["list"], ["list", "--json"]] { #expect(try promoctl.run(arguments).code == 0) }
        #expect(try promoctl.draw(columns: 80, "list").code == 0)
        #expect(try promoctl.run("impression", "stedio").code == 0)
        #expect(try subscriber.next().event["app"] as? String == "stedio")
    }

    @Test func theResultOfTheProtocolIsPrintedOnOneLine() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let list = try promoctl.run("list", "--json", "--host", "finebill", "--language", "ko", "--limit", "1")
        #expect(
            list.output.hasPrefix(#"{"state":"loaded","source":"sample","generation":""#)
                && list.output.hasSuffix(
                    #""language":"ko","apps":[{"id":"bookary","name":"Bookary","appStoreID":"6470000002","#
                        + #""iconURL":"https://example.com/?icon=bookary","#
                        + #""category":"Reading","tagline":"읽은 책을 위한 다이어리","storeURL":"https://example.com/?app=bookary"}]}"#
                        + "\n")
        )
        #expect(list.lines.count == 1)
        #expect(list.error == "")
        let all = try promoctl.run("list", "--json", "--language", "*", "--limit", "1")
        #expect(all.output.contains(#""tagline":{"en":"Every bill, paid on time","ko":"모든 청구서를 제때에","ja":"#))
    }
}
