import CrossPromoKit
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// Refreshes by hand.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct RefreshTests {
    private nonisolated static let offline = "You're offline. Connect to the internet to see more apps."
    private nonisolated static let oldAndOffline =
        "You're offline, so the list couldn't be updated. Connect to the internet, then try again."
    private nonisolated static let notUpdated = "The list couldn't be updated. Please try again."
    private nonisolated static let oldAndDeferred =
        "The list couldn't be updated a moment ago. Please wait a minute before you try again."

    @Test func aRefreshBringsTheList() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in .result(Replies.refresh("unchanged")) })
        let service = try PromoService(of: daemon)
        #expect(await service.forceRefresh() == nil)
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary", "stedio"])
        #expect(daemon.requests.map(\.method).prefix(3) == ["refresh", "subscribe", "list"])
        #expect(daemon.requests("refresh").map { $0.boolean("wait") } == [true])
    }

    @Test(
        arguments: [
            (.result(Replies.refresh("failed", error: "No such host.", code: "dns")), oldAndOffline),
            (.result(Replies.refresh("failed", error: "The certificate is too old.")), notUpdated),
            (.result(Replies.refresh("deferred", error: "No such host.", code: "dns")), oldAndDeferred),
            (.result(Replies.refresh("deferred")), nil), (.result(Replies.refresh("started")), nil),
            (.refusal("busy"), notUpdated), (.end, notUpdated), (.result(Replies.refresh("failed")), notUpdated),
            (.result(Replies.refresh("exploded")), notUpdated),
        ] as [(ScriptedDaemon.Answer, String?)])
    func whyARefreshBroughtNothingIsItsOutcomeAndAFreshListStaysFresh(answer: ScriptedDaemon.Answer, why: String?)
        async throws
    {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in answer })
        let service = try PromoService(of: daemon)
        #expect(await service.forceRefresh() == why)
        #expect(service.state == .loaded)
        #expect(service.error == nil)
        #expect(!service.canRetry)
        #expect(service.notice == nil)
        #expect(service.ids == ["bookary", "stedio"])
        #expect(daemon.requests("refresh").count == 1)
    }

    @Test func whatTheListSaysARefreshDoesNotSayAgainUnlessItWasDeferred() async throws {
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "refresh": .result(Replies.refresh("failed", error: "No such host.", code: "dns"))
            case "list": .result(Replies.list([], state: "empty", source: "none", canRetry: true, error: "dns"))
            default: Replies.daemon()(request)
            }
        }
        let service = try PromoService(of: daemon)
        #expect(await service.forceRefresh() == nil)
        #expect(service.notice == Self.offline)
        daemon.answer(
            Replies.daemon("refresh") { _ in .result(Replies.refresh("deferred", error: "No such host.", code: "dns")) }
        )
        #expect(await service.forceRefresh() == Self.oldAndDeferred)
    }

    @Test func theClientSaysWhenADeferredRefreshIsMadeAndWhatFailedBefore() async throws {
        let reply = Replies.refresh("deferred", error: "No such host.", retryAt: Replies.fetchedAt, code: "dns")
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in .result(reply) })
        let error = await #expect(throws: PromoError.self) {
            try await PromoClient(host: "finebill", socketPath: daemon.path).refresh()
        }
        #expect(error?.code == .refreshDeferred)
        #expect(error?.reason == "dns")
        let why = "The refresh is deferred, because the last attempt was too recent. No such host."
        #expect(error?.message == "\(why) promod can check the origin again at \(Replies.fetchedAt).")
    }

    @Test(arguments: ["sample", "file"])
    func aSampleAndATestedFileNeedNoRefresh(source: String) async throws {
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "refresh": .refusal("no-origin")
            case "list": .result(Replies.list(["bookary"], source: source))
            default: Replies.daemon()(request)
            }
        }
        let service = try PromoService(of: daemon)
        #expect(await service.forceRefresh() == nil)
        #expect(service.state == .loaded)
        #expect(service.error == nil)
    }

    @Test func aRefreshMayTakeLongerThanTheTimeoutOfOtherRequests() async throws {
        let gate = Gate()
        let daemon = try ScriptedDaemon { request in
            if request.method == "tap" { return .silence }
            // Waits until a request with the short timeout has ended.
            if request.method == "refresh" { gate.pass() }
            return Replies.daemon()(request)
        }
        let service = try PromoService(of: daemon, timeout: .seconds(1))
        // On the main actor, which a call from outside would wait for no longer than the short timeout.
        let refresh = Task { await service.forceRefresh() }
        await daemon.wasAsked("refresh")
        await service.handleAppTap(try .sample())
        gate.open()
        _ = await refresh.value
        #expect(service.error?.code != .timedOut)
    }

    @Test(
        arguments: [
            (.result(#"{"cleared":true}"#), nil),
            (.refusal("only-copy"), "The list was kept, because it can't be loaded again right now."),
            (.end, notUpdated),
        ] as [(ScriptedDaemon.Answer, String?)])
    func clearingTheListLoadsItAgainAndSaysIfItWasKept(answer: ScriptedDaemon.Answer, why: String?) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("clear") { _ in answer })
        let service = try PromoService(of: daemon)
        #expect(await service.clear() == why)
        #expect(daemon.requests("clear").map { $0.string("host") } == ["finebill"])
        #expect(daemon.requests("list").count == 1)
        #expect(service.state == .loaded)
    }

    @Test func aRefreshThatIsCancelledEndsAtOnceAndIsNoError() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("refresh") { _ in .silence })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        let refresh = Task { await service.forceRefresh() }
        await daemon.wasAsked("refresh")
        let duration = await ContinuousClock().measure {
            refresh.cancel()
            _ = await refresh.value
        }
        // A busy machine may take some, and the request waits for ten minutes.
        #expect(duration < .seconds(60))
        #expect(service.error == nil)
        #expect(service.state == .loaded)
        #expect(!service.isLoading)
    }
}
