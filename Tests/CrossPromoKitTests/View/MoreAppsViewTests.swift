import CrossPromoKit
import PromoTestSupport
import Testing

/// The view of a service's list.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct MoreAppsViewTests {
    private let terminal = Terminal(columns: 80)

    @Test func aViewShowsWhatItsServiceLoads() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon(["bookary"]))
        let config = PromoConfig(currentAppID: "finebill", socketPath: daemon.path, language: "ko")
        let recorder = EventRecorder()
        let view = MoreAppsView(config: config, eventDelegate: recorder)
        #expect(view.draw(on: terminal) == "")
        #expect(MoreAppsView(currentAppID: "finebill").service.config.currentAppID == "finebill")
        await view.service.loadApps()
        #expect(view.draw(on: terminal).hasPrefix("[Bo] BOOKARY  Tools  bookary 소개\n"))
        for app in view.service.apps { view.service.handleAppImpression(app) }
        #expect(recorder.events == [.impression(appID: "bookary")])
    }
}
