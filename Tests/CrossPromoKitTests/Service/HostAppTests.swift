import CrossPromoKit
import PromoTestSupport
import Testing

/// The host app and its id.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct HostAppTests {
    @Test(arguments: ["", "finebill\n", "파인빌"])
    func aMalformedIDIsAnErrorNothingIsSentAndATapLeadsToThePage(currentAppID: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = PromoService(config: PromoConfig(currentAppID: currentAppID, socketPath: daemon.path))
        await service.loadApps()
        await service.forceRefresh()
        #expect(service.error?.code == .invalidAppID)
        #expect(service.state == .empty(canRetry: false))
        #expect(service.error?.message.hasPrefix("The app's id is \"") == true)
        let row = try PromoApp.sample()
        #expect(await service.handleAppTap(row) == .store(row.storeURL))
        service.handleAppImpression(row)
        await service.finishImpressions()
        #expect(daemon.requests.isEmpty)
    }
}
