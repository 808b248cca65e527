import CrossPromoKit
import PromoTestSupport
import Testing

/// The host app and its id.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct HostAppTests {
    private nonisolated static let noIDs = [
        "", "finebill\n", "파인빌",
    ]

    @Test(arguments: noIDs)
    func aMalformedIDIsAnErrorNothingIsSentAndATapLeadsToThePage(currentAppID: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = PromoService(config: PromoConfig(currentAppID: currentAppID, socketPath: daemon.path))
        await service.loadApps()
        #expect(service.error?.code == .invalidAppID && service.state == .empty(canRetry: false))
        #expect(service.error?.message.hasPrefix("The app's id is \"") == true)
        await service.forceRefresh()
        #expect(service.error?.code == .invalidAppID && service.state == .empty(canRetry: false))
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
        let service = try PromoService(of: daemon)
        #expect(service.list?.isHostKnown == nil)
        await service.loadApps()
        #expect(service.list?.isHostKnown == hostKnown)
    }
}
