import CrossPromoKit
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// Refreshes by hand.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct RefreshTests {
    private let empty = Replies.list([], state: "empty", source: "none", canRetry: true)

    @Test func aRefreshBringsTheList() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in .result(Replies.refresh("unchanged")) })
        let service = try PromoService(of: daemon)
        await service.forceRefresh()
        #expect(service.state == .loaded)
        #expect(service.error == nil)
        #expect(service.ids == ["bookary", "stedio"])
        #expect(!service.isLoading)
        #expect(daemon.requests.map(\.method).prefix(3) == ["refresh", "subscribe", "list"])
        #expect(daemon.requests("refresh").map { $0.boolean("wait") } == [true])
    }

    @Test func whileItIsUnderWayTheServiceIsLoading() async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon("refresh") { _ in
                gate.pass()
                return .result(Replies.refresh("updated"))
            })
        let service = try PromoService(of: daemon)
        async let refresh: Void = service.forceRefresh()
        await daemon.wasAsked("refresh")
        #expect(service.isLoading && service.state == .loading)
        gate.open()
        await refresh
        #expect(!service.isLoading)
    }

    @Test func aFailedRefreshKeepsTheListAndSaysWhy() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("refresh") { _ in .result(Replies.refresh("failed", error: "The certificate is too old.")) })
        let service = try PromoService(of: daemon)
        await service.forceRefresh()
        #expect(service.error == PromoError(.refreshFailed, reason: "tls", message: "The certificate is too old."))
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary", "stedio"])
    }

    @Test(
        arguments: [
            (.refusal("no-origin"), .refused), (.end, .connectionLost),
            (.result(Replies.refresh("exploded")), .badReply), (.result(Replies.refresh("failed")), .refreshFailed),
        ] as [(ScriptedDaemon.Answer, PromoError.Code)])
    func aRefusedRefreshKeepsTheListAndSaysWhy(answer: ScriptedDaemon.Answer, code: PromoError.Code)
        async throws
    {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in answer })
        let service = try PromoService(of: daemon)
        await service.forceRefresh()
        #expect(service.error?.code == code)
        #expect(service.state == .loaded)
        #expect(daemon.requests("refresh").count == 1)
        await service.loadApps()
        #expect(service.error == nil)
    }

    @Test func aSampleNeedsNoRefresh() async throws {
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "refresh": .refusal("no-origin")
            case "list": .result(Replies.list(["bookary"], source: "sample"))
            default: Replies.daemon()(request)
            }
        }
        let service = try PromoService(of: daemon)
        await service.forceRefresh()
        #expect(service.state == .loaded && service.error == nil)
    }

    @Test func aRefreshMayTakeLongerThanTheTimeoutOfOtherRequests() async throws {
        let gate = Gate()
        let daemon = try ScriptedDaemon(
            { request in
                switch request.method {
                case "refresh":
                    // Waits until a request with the short timeout has ended.
                    gate.pass()
                    return .result(Replies.refresh("updated"))
                case "tap": return .silence
                default: return Replies.daemon()(request)
                }
            })
        let service = try PromoService(of: daemon, timeout: .seconds(1))
        // On the main actor, which a call from outside would wait for no longer than the short timeout.
        let refresh = Task { await service.forceRefresh() }
        await daemon.wasAsked("refresh")
        await service.handleAppTap(try .sample())
        gate.open()
        await refresh.value
        #expect(service.error?.code != .timedOut)
    }

    @Test func theErrorOfARefreshOutlastsTheEventsThatItCaused() async throws {
        let failure = Replies.refresh("failed", error: "The origin did not answer.")
        let empty = empty
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "refresh": .result(failure)
            case "list": .result(empty)
            default: Replies.daemon()(request)
            }
        }
        let service = try PromoService(of: daemon)
        await service.forceRefresh()
        await daemon.hasSubscribers(1)
        await service.comes { !$0.isLoading }
        let before = daemon.requests("list").count
        daemon.push(Replies.catalogEvent(1, state: "empty"))
        await daemon.wasAsked("list", times: before + 1)
        await service.comes { !$0.isLoading }
        #expect(service.error?.message == "The origin did not answer.")
        #expect(service.state == .empty(canRetry: true))
        // A fresher list ends the error.
        daemon.answer(Replies.daemon())
        daemon.push(Replies.catalogEvent(2))
        await service.comes { $0.state == .loaded }
        #expect(service.error == nil)
    }

    @Test func aRefreshThatIsCancelledEndsAtOnceAndIsNoError() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in .silence })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        let refresh = Task { await service.forceRefresh() }
        await daemon.wasAsked("refresh")
        _ = await ContinuousClock().measure {
            refresh.cancel()
            await refresh.value
        }
        #expect(service.error == nil)
        #expect(service.state == .loaded)
        #expect(!service.isLoading)
    }
}
