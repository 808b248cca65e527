import CrossPromoKit
import PromoTestSupport
import Testing

/// The view of a service's list.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct MoreAppsViewTests {
    private let terminal = Terminal(columns: 80)

    @Test(
        arguments: [
            (.idle, ""), (.loading, "Loading…\n"),
            (.loaded, "[Bo] bookary  Books  Every book you read\n"),
            (.cached, "[Bo] bookary  Books  Every book you read\n"),
            (.empty(canRetry: true), "There are no apps to show yet.\n[ Try Again ]\n"),
            (.empty(canRetry: false), "There are no apps to show yet.\n"),
        ] as [(PromoService.LoadState, String)])
    func eachStateIsDrawn(state: PromoService.LoadState, drawing: String) throws {
        let hasApps = [.loaded, .cached].contains(state)
        let service = PromoService.preview(state, apps: hasApps ? [try .sample()] : [])
        #expect(MoreAppsView(service: service).draw(on: terminal) == drawing)
    }

    @Test func anErrorIsDrawnBelowTheRowsOrInTheirPlace() throws {
        let error = PromoError(.timedOut, message: "promod did not answer on /s.")
        let sentences = "The list of apps cannot be updated right now. Try again later."
        let cached = PromoService.preview(.cached, apps: [try .sample()], error: error)
        #expect(
            MoreAppsView(service: cached).draw(on: terminal)
                == "[Bo] bookary  Books  Every book you read\n\n\(sentences)\n")
        let empty = PromoService.preview(.empty(canRetry: true), error: error)
        #expect(MoreAppsView(service: empty).draw(on: terminal) == "\(sentences)\n[ Try Again ]\n")
    }

    @Test func aViewShowsWhatItsServiceLoads() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon(["bookary"]))
        let config = PromoConfig(currentAppID: "finebill", socketPath: daemon.path, language: "ko")
        let recorder = EventRecorder()
        let view = MoreAppsView(config: config, eventDelegate: recorder)
        #expect(view.draw(on: terminal) == "")
        await view.service.loadApps()
        #expect(view.draw(on: terminal).hasPrefix("[BO] BOOKARY  Tools  bookary 소개\n"))
        for app in view.service.apps { view.service.handleAppImpression(app) }
        #expect(recorder.events == [.impression(appID: "bookary")])
    }

    @Test func theConvenienceInitialisersAgree() {
        #expect(MoreAppsView(currentAppID: "finebill").service.config.currentAppID == "finebill")
        #expect(MoreAppsView(currentAppID: "finebill").service.config.catalog == nil)
        let config = PromoConfig(currentAppID: "finebill", socketPath: "/somewhere", language: "ja")
        let view = MoreAppsView(config: config)
        #expect(view.service.config.socketPath == "/somewhere")
        #expect(view.service.config.language == "ja")
        #expect(view.service.eventDelegate == nil)
    }
}
