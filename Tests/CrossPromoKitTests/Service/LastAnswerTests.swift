import Foundation
import PromoTestSupport
import PromoWire
import Testing

@testable import CrossPromoKit

/// What a service says follows from promod's last answer: it goes when the trouble goes.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LastAnswerTests {
    /// What a service says in one moment.
    private struct Said: Equatable {
        var state: PromoService.LoadState
        var canRetry: Bool
        var error: PromoError.Code?
    }

    private func said(_ service: PromoService) -> Said {
        Said(state: service.state, canRetry: service.canRetry, error: service.error?.code)
    }

    private nonisolated static let empty = Replies.list(
        [], state: "empty", source: "none", canRetry: true, error: "dns")
    private nonisolated static let expired = Replies.list(["bookary"], state: "expired", error: "dns")

    @Test(
        arguments: [
            (.result(empty), Said(state: .empty(canRetry: true), canRetry: true, error: .refreshFailed)),
            (.result(expired), Said(state: .cached, canRetry: true, error: .refreshFailed)),
            (.refusal("busy"), Said(state: .empty(canRetry: true), canRetry: true, error: .refused)),
            (.end, Said(state: .empty(canRetry: true), canRetry: true, error: .connectionLost)),
        ] as [(ScriptedDaemon.Answer, Said)])
    private func aTroubleIsOverWithTheNextAnswerThoughTryingAgainWasInVain(answer: ScriptedDaemon.Answer, trouble: Said)
        async throws
    {
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "refresh": .result(Replies.refresh("failed", error: "No such host.", code: "dns"))
            case "list": answer
            default: Replies.daemon()(request)
            }
        }
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(said(service) == trouble)
        await service.forceRefresh()
        #expect(said(service) == trouble)
        #expect(service.notice != nil)
        daemon.answer(Replies.daemon(["bookary"]))
        daemon.push(Replies.catalogEvent(1))
        await service.comes { $0.state == .loaded }
        #expect(said(service) == Said(state: .loaded, canRetry: false))
        #expect(service.notice == nil)
    }

    @Test(arguments: [.refusal("busy"), .end, .endless] as [ScriptedDaemon.Answer])
    func anAnswerThatFailsIsAskedForAgainBecauseNoEventMaySayThatItIsOver(answer: ScriptedDaemon.Answer) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in answer })
        let service = try PromoService(of: daemon, timeout: .milliseconds(300))
        service.pause = .milliseconds(1)
        await service.loadApps()
        await daemon.wasAsked("list", times: 3)
        daemon.answer(Replies.daemon())
        await service.comes { $0.state == .loaded }
        #expect(service.error == nil)
    }

    @Test(arguments: ["refresh", "subscribe", "list"])
    func fromTheFirstCallOnAServiceIsLoading(method: String) async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon(method) { request in
                gate.pass()
                return Replies.daemon()(request)
            })
        let service = try PromoService(of: daemon)
        #expect(service.state == .idle)
        #expect(!service.isLoading)
        async let refresh = service.forceRefresh()
        await daemon.wasAsked(method)
        #expect(service.state == .loading)
        #expect(service.isLoading)
        gate.open()
        _ = await refresh
        #expect(!service.isLoading)
    }

    @Test func aFirstFetchThatOutlastsItsAnswerIsStillLoading() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in .result(Replies.list([], state: "loading", source: "none")) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.state == .loading)
        #expect(service.isLoading)
        daemon.stop()
        await service.comes { $0.error?.code == .daemonUnreachable }
        #expect(service.state == .empty(canRetry: true))
        #expect(!service.isLoading)
    }

    private nonisolated static let away = PromoError(.daemonUnreachable, message: "No socket.")

    @Test(
        arguments: [
            (.loaded, nil, Said(state: .loaded, canRetry: false)), (.cached, nil, Said(state: .cached, canRetry: true)),
            (.loaded, away, Said(state: .cached, canRetry: true, error: .daemonUnreachable)),
            (.idle, nil, Said(state: .idle, canRetry: false)), (.loading, nil, Said(state: .loading, canRetry: false)),
            (.empty(canRetry: false), nil, Said(state: .empty(canRetry: false), canRetry: false)),
            (
                .empty(canRetry: false), away,
                Said(state: .empty(canRetry: true), canRetry: true, error: .daemonUnreachable)
            ),
            (
                .empty(canRetry: true), PromoError(.invalidAppID, message: "No id."),
                Said(state: .empty(canRetry: false), canRetry: false, error: .invalidAppID)
            ),
        ] as [(PromoService.LoadState, PromoError?, Said)])
    private func aPreviewDoesNotContradictItself(state: PromoService.LoadState, error: PromoError?, expected: Said)
        throws
    {
        let apps = [.loaded, .cached].contains(state) ? [try PromoApp.sample()] : []
        let service = PromoService.preview(state, apps: apps, error: error)
        #expect(said(service) == expected)
        #expect(service.isLoading == (state == .loading))
        #expect(service.apps == apps)
        if service.canRetry, error != nil { #expect(service.notice != nil) }
    }

    @Test func aPreviewShowsAnAgeASampleAnUnknownHostAndThatMoreIsUnderWay() throws {
        let time = Date(timeIntervalSince1970: 1_795_000_000)
        let service = PromoService.preview(
            .cached, apps: [try .sample()], source: .sample, fetchedAt: time, isHostKnown: false, isLoading: true)
        #expect(service.isLoading)
        #expect(service.list?.fetchedAt == time)
        #expect(service.list?.source == .sample)
        #expect(service.list?.isHostKnown == false)
        let notice = try #require(service.notice)
        #expect(notice.contains("made up"))
        #expect(notice.contains("This list is from"))
        service.preview(.loaded, apps: [try .sample()])
        #expect(!service.isLoading)
        #expect(service.notice == nil)
    }
}
