import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// A host app that names its catalog.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct AppsCatalogTests {
    @Test(arguments: ["https://user:secret@a.example/apps.json#part", "HTTPS://A.EXAMPLE:443/apps.json"])
    func isAskedForByItsAddressWithoutSecrets(jsonURL: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, jsonURL: jsonURL)
        await service.loadApps()
        #expect(service.error == nil)
        #expect(service.ids == ["bookary", "stedio"])
        await service.forceRefresh()
        await service.handleAppTap(service.apps[0])
        service.handleAppImpression(service.apps[0])
        await service.finishImpressions()
        for method in ["list", "refresh", "tap", "impression"] {
            let catalogs = Set(daemon.requests(method).map { $0.string("catalog") })
            #expect(catalogs == ["https://a.example/apps.json"], "\(method)")
        }
    }

    @Test(arguments: [PromoCatalog.named("acme"), nil])
    func isAskedForByItsNameAndIsElseTheDefaultOne(catalog: PromoCatalog?) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let config = PromoConfig(catalog: catalog, currentAppID: "finebill", socketPath: daemon.path)
        await PromoService(config: config).loadApps()
        #expect(daemon.requests("list").first?.string("catalog") == catalog.map { _ in "acme" })
    }

    @Test func ifPromodDoesNotKeepItTheErrorSaysSoAndAListThatWasShownStays() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .refusal("unknown-catalog") })
        let config = PromoConfig(catalog: .named("acme"), currentAppID: "finebill", socketPath: daemon.path)
        let service = PromoService(config: config)
        await service.loadApps()
        #expect(
            service.error == PromoError(.unknownCatalog, reason: "unknown-catalog", message: "No: unknown-catalog."))
        #expect(service.state == .empty(canRetry: false))
        daemon.answer(Replies.daemon())
        await service.loadApps()
        daemon.answer(Replies.daemon("list") { _ in .refusal("unknown-catalog") })
        await service.loadApps()
        #expect(service.error?.code == .unknownCatalog)
        #expect(service.state == .cached)
        #expect(service.ids == ["bookary", "stedio"])
    }

    @Test(arguments: [PromoCatalog.url(URL(filePath: "/etc/passwd")), .named("Acme Apps")])
    func whatNoCatalogCanHaveIsNotAskedFor(catalog: PromoCatalog) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let config = PromoConfig(catalog: catalog, currentAppID: "finebill", socketPath: daemon.path)
        let service = PromoService(config: config)
        await service.loadApps()
        #expect(service.error?.code == .invalidCatalog)
        #expect(daemon.requests.isEmpty)
    }
}
