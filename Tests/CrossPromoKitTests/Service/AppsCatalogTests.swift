import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// A host app that names its catalog.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct AppsCatalogTests {
    @Test(
        arguments: [
            "https://a.example/apps.json", "https://user:secret@a.example/apps.json",
            "https://a.example/apps.json#part", "HTTPS://A.EXAMPLE/apps.json", "https://a.example:443/apps.json",
        ])
    func isAskedForByItsAddressWithoutSecrets(jsonURL: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, jsonURL: jsonURL)
        await service.loadApps()
        #expect(service.error == nil && service.ids == ["bookary", "stedio"])
        await service.forceRefresh()
        await service.handleAppTap(service.apps[0])
        service.handleAppImpression(service.apps[0])
        await service.finishImpressions()
        for method in ["list", "refresh", "tap", "impression"] {
            let catalogs = daemon.requests(method).map { $0.string("catalog") }
            #expect(!catalogs.isEmpty && catalogs.allSatisfy { $0 == "https://a.example/apps.json" }, "\(method)")
        }
    }

    @Test func isAskedForByItsName() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let config = PromoConfig(catalog: .named("acme"), currentAppID: "finebill", socketPath: daemon.path)
        await PromoService(config: config).loadApps()
        #expect(daemon.requests("list").first?.string("catalog") == "acme")
    }

    @Test func withoutANameOrAnAddressItIsTheDefaultOne() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        await PromoService(config: PromoConfig(currentAppID: "finebill", socketPath: daemon.path)).loadApps()
        #expect(daemon.requests("list").first?.string("catalog") == nil)
    }

    @Test func ifPromodDoesNotKeepItTheErrorSaysWhatPromodSays() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .refusal("unknown-catalog") })
        let service = try PromoService(of: daemon, jsonURL: "https://b.example/mine.json")
        await service.loadApps()
        let error = try #require(service.error)
        #expect(error.code == .unknownCatalog && service.state == .empty(canRetry: true))
        #expect(error.message == "No: unknown-catalog.")
    }

    @Test func aListThatWasShownStaysIfPromodDoesNotKeepItAnyMore() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, jsonURL: "https://a.example/apps.json")
        await service.loadApps()
        daemon.answer(Replies.daemon("list") { _ in .refusal("unknown-catalog") })
        await service.loadApps()
        #expect(service.error?.code == .unknownCatalog && service.state == .cached)
        #expect(service.ids == ["bookary", "stedio"])
    }

    @Test(arguments: ["http://a.example/apps.json", "file:///etc/passwd"])
    func anAddressThatNoCatalogCanHaveIsNotAskedFor(jsonURL: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, jsonURL: jsonURL)
        await service.loadApps()
        #expect(service.error?.code == .invalidCatalog && daemon.requests("list").isEmpty)
    }

    @Test func aNameThatNoCatalogCanHaveIsNotAskedFor() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let config = PromoConfig(catalog: .named("Acme Apps"), currentAppID: "finebill", socketPath: daemon.path)
        let service = PromoService(config: config)
        await service.loadApps()
        #expect(service.error?.code == .invalidCatalog && daemon.requests("list").isEmpty)
    }
}
