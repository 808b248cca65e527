import CrossPromoKit
import Foundation
import Observation
import PromoTestSupport
import Testing

/// Loading the list.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LoadingTests {
    @Test func aLoadBringsTheAppsInTheirOrderAndAllLanguages() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon(["stedio", "bookary", "littory"]))
        let service = try PromoService(of: daemon)
        #expect(service.state == .idle)
        #expect(daemon.requests.isEmpty)
        await service.loadApps()
        #expect(service.list?.fetchedAt?.ISO8601Format() == Replies.fetchedAt)
        #expect(service.list?.source == .origin)
        #expect(service.ids == ["stedio", "bookary", "littory"])
        let app = PromoApp(
            id: "stedio", name: "STEDIO", appStoreID: "1", iconURL: try url("https://a.example/stedio"),
            category: "Tools", tagline: LocalizedText(en: "About stedio", ko: "stedio 소개"),
            storeURL: try url("https://apps.apple.com/app/id-stedio"),
            placeholder: IconPlaceholder(initials: "St", red: 0, green: 95, blue: 135))
        #expect(service.apps.first == app)
        #expect(daemon.requests("list").map(\.names) == [["host", "language"]])
        #expect(daemon.requests("list").first?.string("language") == "*")
    }

    @Test func aFirstFetchThatIsUnderWayIsWaitedFor() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { request in
                .result(
                    request.boolean("wait") == true
                        ? Replies.list(["bookary"]) : Replies.list([], state: "loading", source: "none"))
            })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(daemon.requests("list").map { $0.boolean("wait") } == [nil, true])
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary"])
    }

    @Test(
        arguments: [
            (Replies.list(["bookary"]), .loaded), (Replies.list(["bookary"], source: "sample"), .loaded),
            (Replies.list([]), .empty(canRetry: false)), (Replies.list(["bookary"], state: "expired"), .cached),
            (Replies.list([], state: "empty", source: "none", canRetry: true), .empty(canRetry: true)),
            (Replies.list([], state: "empty", source: "none"), .empty(canRetry: false)),
            (Replies.list([], state: "loading", source: "none"), .loading),
        ] as [(String, PromoService.LoadState)])
    func theListHasTheStateThatTheDaemonReports(list: String, state: PromoService.LoadState) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(list) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.state == state)
        #expect(service.error == nil)
    }

    @Test func withoutAConfiguredCatalogTheErrorSaysSo() async throws {
        let none = Replies.list([], state: "empty", source: "none", emptyBecause: "not-configured")
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(none) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.error?.code == .notConfigured)
        #expect(service.state == .empty(canRetry: false))
        #expect(service.error?.errorDescription == "There are no other apps to show.")
    }

    @Test func aListStaysWhileItIsLoadedAgain() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon)
        await service.loadApps()
        let gate = Gate()
        defer { gate.open() }
        daemon.answer(
            Replies.daemon("list") { _ in
                gate.pass()
                return .result(Replies.list(["littory"]))
            })
        async let load: Void = service.loadApps()
        await daemon.wasAsked("list", times: 2)
        #expect(service.isLoading)
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary", "stedio"])
        gate.open()
        await load
        #expect(service.ids == ["littory"])
    }

    @Test func onlyTheFirstListIsLoading() async throws {
        let empty = Replies.list([], state: "empty", source: "none", canRetry: true)
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(empty) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        var states: Set<String> = []
        let observing = Task { for await state in Observations({ service.state }) { states.insert("\(state)") } }
        daemon.push(Replies.catalogEvent(1, state: "empty"))
        await daemon.wasAsked("list", times: 2)
        await service.forceRefresh()
        observing.cancel()
        await observing.value
        #expect(states == ["empty(canRetry: true)"])
    }

    @Test func theLanguageOfTheConfigurationIsThatOfTheTexts() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon(["bookary"]))
        let service = try PromoService(of: daemon, language: "ko_KR.UTF-8")
        await service.loadApps()
        #expect(service.apps.first?.tagline.localized == "bookary 소개")
    }
}
