import CrossPromoKit
import PromoTestSupport
import Testing

/// The host app and its id.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct HostAppTests {
    private nonisolated static let noIDs = [
        "", "FineBill", "finebill\n", "fine bill", "핀빌", String(repeating: "a", count: 256),
    ]

    private func service(of daemon: ScriptedDaemon, currentAppID: String, jsonURL: String? = nil) throws -> PromoService
    {
        PromoService(
            config: PromoConfig(
                catalog: try jsonURL.map { PromoCatalog.url(try url($0)) }, currentAppID: currentAppID,
                socketPath: daemon.path))
    }

    @Test(arguments: noIDs)
    func aMalformedIDIsAnErrorAndNothingIsSent(currentAppID: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try service(of: daemon, currentAppID: currentAppID, jsonURL: "https://a.example/apps.json")
        await service.loadApps()
        #expect(service.error?.code == .invalidAppID)
        #expect(
            service.error?.message.hasPrefix("The app's id is \"\(currentAppID.prefix(8).prefix { $0 != "\n" })")
                == true)
        #expect(service.state == .empty(canRetry: false))
        await service.forceRefresh()
        #expect(service.error?.code == .invalidAppID)
        #expect(service.state == .empty(canRetry: false))
        #expect(daemon.requests.isEmpty)
    }

    @Test(arguments: noIDs)
    func aTapWithAMalformedIDLeadsToThePageAndSendsNothing(currentAppID: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try service(of: daemon, currentAppID: currentAppID)
        let row = try PromoApp.sample()
        #expect(await service.handleAppTap(row) == .store(row.storeURL))
        service.handleAppImpression(row)
        await service.finishImpressions()
        #expect(daemon.requests.isEmpty)
    }

    @Test(arguments: [true, false, nil])
    func theServiceSaysWhetherTheCatalogKnowsTheApp(hostKnown: Bool?) async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in .result(Replies.list(["bookary"], hostKnown: hostKnown)) })
        let service = try service(of: daemon, currentAppID: "finebill")
        #expect(service.list?.isHostKnown == nil)
        await service.loadApps()
        #expect(service.list?.isHostKnown == hostKnown)
    }
}
