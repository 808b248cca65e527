import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// A tap on a row leads to the store or to the offline message, whatever promod does.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct TapTests {
    private func tapped(
        _ answer: ScriptedDaemon.Answer, timeout: Duration = .seconds(20)
    ) async throws -> TapDestination {
        let daemon = try ScriptedDaemon(Replies.daemon("tap") { _ in answer })
        return await (try online(PromoService(of: daemon, timeout: timeout))).handleAppTap(try .sample())
    }

    private func online(_ service: PromoService, _ isOnline: Bool = true) -> PromoService {
        service.isOnline = { isOnline }
        return service
    }

    @Test func aTapLeadsToThePageThatPromodNames() async throws {
        let storeURL = "https://apps.apple.com/app/id7"
        #expect(try await tapped(.result(Replies.tap("bookary", storeURL: storeURL))) == .store(try url(storeURL)))
    }

    @Test func withoutANetworkItLeadsToTheMessage() async throws {
        let destination = try await tapped(.result(Replies.tap("bookary", message: "오프라인입니다.")))
        #expect(destination == .offline(message: "오프라인입니다.", storeURL: try url("https://apps.apple.com/app/id7")))
    }

    @Test(
        arguments: [
            .refusal("unknown-app"), .end, .bytes("hello\n"), .result("{}"), .silence, .endless,
            .result(Replies.tap("bookary", storeURL: "javascript:alert(1)")),
            .result(Replies.tap("bookary", storeURL: "", message: "Offline.")),
        ] as [ScriptedDaemon.Answer])
    func withoutAnAnswerATapLeadsToThePageOfTheRow(answer: ScriptedDaemon.Answer) async throws {
        #expect(
            try await tapped(answer, timeout: .milliseconds(500)) == .store(try url("https://apps.apple.com/app/id1")))
    }

    @Test func aPromodThatHangsIsWaitedForTwoSeconds() async throws {
        let duration = try await ContinuousClock().measure { _ = try await tapped(.silence, timeout: .seconds(60)) }
        #expect(.seconds(1) ... .seconds(30) ~= duration)
    }

    @Test func aDaemonThatIsAwayDoesNotMatter() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        daemon.stop()
        let page = try url("https://apps.apple.com/app/id1")
        let service = try online(PromoService(of: daemon, language: "ja"))
        #expect(await service.handleAppTap(try .sample()) == .store(page))
        #expect(service.error == nil)
        let message = "ストアを開くにはインターネット接続が必要です。接続してから、もう一度お試しください。"
        #expect(await online(service, false).handleAppTap(try .sample()) == .offline(message: message, storeURL: page))
    }

    @Test func aTapIsReportedWithAppHostAndLanguage() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        await (try PromoService(of: daemon, language: "ko_KR.UTF-8")).handleAppTap(try .sample())
        let request = try #require(daemon.requests("tap").first)
        #expect(request.names == ["app", "host", "language"])
        #expect(request.string("app") == "bookary")
        #expect(request.string("host") == "finebill")
        #expect(request.string("language") == "ko")
    }

    @Test func theDelegateReceivesEachTapIsHeldWeaklyAndMayComeLater() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var recorder: EventRecorder? = EventRecorder()
        let service = try PromoService(of: daemon, eventDelegate: recorder)
        recorder = nil
        #expect(service.eventDelegate == nil)
        await service.handleAppTap(try .sample())
        let later = EventRecorder()
        service.eventDelegate = later
        await service.handleAppTap(try .sample("stedio"))
        daemon.stop()
        await service.handleAppTap(try .sample("bookary"))
        #expect(later.events == [.tap(appID: "stedio"), .tap(appID: "bookary")])
        #expect(recorder == nil)
    }
}
