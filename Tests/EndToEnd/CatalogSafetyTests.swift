import Foundation
import PromoTestSupport
import Testing

/// Catalogs that are held back, because most apps are gone.
struct CatalogSafetyTests {
    /// A catalog with the given apps.
    private func catalog(_ apps: [String]) -> String {
        let rows = apps.map {
            #"{"id":"\#($0)","name":"\#($0)","appStoreID":"1","iconURL":"https://a.example/i","category":"other","tagline":{"en":"e"}}"#
        }
        return "{\n  \"apps\": [\(rows.joined(separator: ",\n"))],\n  \"promoRules\": {}\n}\n"
    }

    private func configure(_ origin: NginxOrigin, _ more: String, in scratch: ScratchDirectory) throws {
        try scratch.write(
            "config/promod/config.toml",
            "catalog.url = \"\(origin.url)\"\ncatalog.ca-file = \"\(origin.caFile)\"\nrefresh.min-gap = \"0s\"\n\(more)\n"
        )
    }

    private func five() throws -> (DaemonUnderTest, NginxOrigin, PromoctlUnderTest) {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try configure(origin, "retry.base = \"1h\"", in: scratch)
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        try origin.publish(catalog(["finebill", "fresh"]))
        return (daemon, origin, promoctl)
    }

    @Test func aCatalogThatLostMostAppsIsHeldBackUntilAPersonAcceptsIt() throws {
        let (daemon, origin, promoctl) = try five()
        let refresh = try promoctl.run("refresh")
        #expect(refresh.code == 75 && refresh.error.contains("Held back."), "\(refresh.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
        let heldBack = try daemon.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] as? [String: Any]
        #expect(heldBack?["apps"] as? Int == 2 && heldBack?["lost"] as? Int == 4)
        let status = try promoctl.run("status")
        #expect(status.output.contains("Held back  a catalog of 2 apps, which lacks 4 of those that are served"))
        #expect(status.output.contains("a second look at the catalog that is held back"))
        #expect(try promoctl.run("explain").output.contains("promoctl refresh --accept"))
        #expect(try promoctl.run("doctor").output.contains("promoctl refresh --accept"))
        let setup = try promoctl.run("setup", origin.url)
        #expect(setup.code == 0 && setup.error.contains("so it is held back"), "\(setup.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5, "setup is no way around it")
        #expect(daemon.stop() == .exited(0))
        let later = try DaemonUnderTest(in: daemon.scratch)
        #expect(
            try later.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] is [String: Any], "a restart keeps it")
        #expect(try PromoctlUnderTest(later).run("refresh", "--accept").code == 0)
        #expect(try later.ask(#"{"method":"list"}"#).apps == ["finebill", "fresh"])
        #expect(try later.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] is NSNull)
    }

    @Test func whereNothingIsServedNothingIsHeldBack() throws {
        let (daemon, origin, promoctl) = try five()
        #expect(try promoctl.run("refresh").code == 75)
        #expect(daemon.stop() == .exited(0))
        try FileManager.default.removeItem(atPath: daemon.scratch("cache/promod/catalog"))
        let later = try DaemonUnderTest(in: daemon.scratch)
        #expect(try PromoctlUnderTest(later).run("wait", "--timeout", "10s").code == 0)
        #expect(try later.ask(#"{"method":"list"}"#).apps == ["finebill", "fresh"])
        #expect(origin.log.count == 3)
    }
}
