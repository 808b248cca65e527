import Foundation
import PromoTestSupport
import Testing

/// `promoctl tap` and `promoctl impression`.
struct PromoctlTapTests {
    private static let page = "https://example.com/?app=bookary"
    private static let noOpener = "promoctl: xdg-open could not open the page; here is its address.\n"

    @Test func aTapPrintsThePageAndIsCountedForItsHost() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""events":["tap"]"#)
        let promoctl = PromoctlUnderTest(daemon)
        let tap = try promoctl.run("tap", "bookary", "--host", "finebill")
        #expect((tap.code, tap.output, tap.error) == (0, Self.page + "\n", ""))
        let event = try subscriber.next()
        #expect(event.event["app"] as? String == "bookary")
        #expect(event.event["host"] as? String == "finebill")
        let json = try promoctl.run("tap", "bookary", "--json")
        #expect(
            json.output
                == #"{"app":"bookary","appStoreID":"6470000002","presentation":"store","storeURL":"\#(Self.page)"}"#
                + "\n")
        #expect(try subscriber.next().event["host"] is NSNull)
    }

    @Test func anUnknownAppIsRefused() throws {
        let daemon = try DaemonUnderTest()
        let tap = try PromoctlUnderTest(daemon).run("tap", "ghost")
        #expect((tap.code, tap.output) == (65, ""))
        #expect(
            tap.error == "promoctl: No app in the catalog has the id \"ghost\"; \"list\" shows those that are there.\n")
        #expect(try PromoctlUnderTest(daemon).run("tap", "ghost", "--json").output == "")
    }

    @Test func anAppThatTheCatalogNoLongerHasIsUnknown() throws {
        let origin = try NginxOrigin()
        try origin.publish(try CatalogText.of([.init(id: "stays", name: "Stays"), .init(id: "goes", name: "Goes")]))
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("tap", "goes").code == 0)
        try origin.publish(try CatalogText.of([.init(id: "stays", name: "Stays")]))
        #expect(try daemon.refresh().outcome == "updated")
        let tap = try promoctl.run("tap", "goes")
        #expect(tap.code == 65 && tap.error.contains("No app in the catalog has the id \"goes\""), "\(tap.error)")
    }

    @Test func aTapWithoutACatalogExitsWith75() throws {
        let nobody = try LoopbackPort()
        defer { withExtendedLifetime(nobody) {} }
        let daemon = try DaemonUnderTest(environment: ["PROMOD_CATALOG_URL": "https://localhost:\(nobody.number)/"])
        let tap = try PromoctlUnderTest(daemon).run("tap", "bookary")
        #expect((tap.code, tap.output) == (75, ""))
        #expect(tap.error.hasPrefix("promoctl: "))
    }

    @Test func thePageIsOpenedOnTheDesktopAndNothingIsPrinted() throws {
        let (daemon, desktop) = (try DaemonUnderTest(), try DesktopUnderTest())
        let tap = try PromoctlUnderTest(daemon, environment: ["PATH": desktop.path]).run("tap", "bookary", "--open")
        #expect((tap.code, tap.output, tap.error) == (0, "", ""))
        #expect(desktop.opened == [Self.page])
        #expect(try daemon.status("requests", "tap") == 1)
    }

    @Test func ifThePageCannotBeOpenedItsAddressIsPrinted() throws {
        let (daemon, desktop) = (try DaemonUnderTest(), try DesktopUnderTest(exitCode: 3))
        let promoctl = PromoctlUnderTest(daemon, environment: ["PATH": desktop.path])
        let tap = try promoctl.run("tap", "bookary", "--open")
        #expect((tap.code, tap.output, tap.error) == (0, Self.page + "\n", Self.noOpener))
        let without = try promoctl.with(["PATH": "/nowhere"]).run("tap", "bookary", "--open")
        #expect((without.code, without.output, without.error) == (0, Self.page + "\n", Self.noOpener))
        let json = try promoctl.run("tap", "bookary", "--open", "--json")
        #expect(try json.json["storeURL"] as? String == Self.page)
        #expect(json.error == Self.noOpener)
        #expect(try daemon.status("requests", "tap") == 3)
    }

    @Test(.enabled(if: getuid() == 0, "only root can make a network namespace"))
    func withoutANetworkTheMessageIsInThePersonsLanguage() throws {
        let desktop = try DesktopUnderTest()
        let daemon = try DaemonUnderTest(launcher: ["unshare", "--net", "--"])
        let promoctl = PromoctlUnderTest(daemon, environment: ["PATH": desktop.path])
        let korean = try promoctl.with(["LANG": "ko_KR.UTF-8"]).run("tap", "bookary", "--open")
        #expect((korean.code, korean.output) == (75, ""))
        #expect(korean.error.contains("인터넷"))
        #expect(desktop.opened == [])
        let english = try promoctl.run("tap", "bookary")
        #expect((english.code, english.output) == (75, ""))
        #expect(english.error.contains("internet connection"))
        let json = try promoctl.with(["LC_ALL": "ja_JP.UTF-8"]).run("tap", "bookary", "--json")
        #expect(json.code == 75)
        #expect(try json.json["presentation"] as? String == "offline")
        #expect(try (json.json["message"] as? String)?.contains("インターネット") == true)
    }

    @Test func impressionsAreCountedAllOrNone() throws {
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        let subscriber = try Subscriber(daemon, #""events":["impression"]"#)
        #expect(try promoctl.run("impression", "bookary").output.hasPrefix("1 impression "))
        let two = try promoctl.run("impression", "stedio", "littory", "--host", "finebill")
        #expect(two.output.hasPrefix("2 impressions "))
        #expect(try promoctl.run("impression", "stedio", "--json").output == "{\"emitted\":1}\n")
        let refused = try promoctl.run("impression", "bookary", "ghost")
        #expect((refused.code, refused.output) == (65, ""))
        #expect(refused.error.contains("\"ghost\""))
        let many = try promoctl.run(["impression"] + Array(repeating: "bookary", count: 101))
        #expect((many.code, many.output) == (65, ""))
        #expect(try promoctl.run("impression", "finepomo").code == 0)
        let events = try subscriber.next(5).map(\.event)
        #expect(events.map { $0["app"] as? String } == ["bookary", "stedio", "littory", "stedio", "finepomo"])
        #expect(events.map { $0["host"] as? String } == [nil, "finebill", "finebill", nil, nil])
    }
}
