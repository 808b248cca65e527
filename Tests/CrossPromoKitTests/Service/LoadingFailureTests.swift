import CrossPromoKit
import PromoTestSupport
import Testing

/// Lists that could not be loaded.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LoadingFailureTests {
    @Test(
        arguments: [
            (.refusal("busy"), .refused), (.end, .connectionLost), (.result("{}"), .badReply), (.endless, .timedOut),
        ] as [(ScriptedDaemon.Answer, PromoError.Code)])
    func anErrorKeepsTheLastListAndIsForgottenWithTheNext(answer: ScriptedDaemon.Answer, code: PromoError.Code)
        async throws
    {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, timeout: code == .timedOut ? .milliseconds(300) : .seconds(600))
        await service.loadApps()
        // A busy machine may have taken longer than that for the first list.
        while service.state != .loaded { await service.loadApps() }
        daemon.answer(Replies.daemon("list") { _ in answer })
        await service.loadApps()
        #expect(service.state == .cached)
        #expect(service.error?.code == code)
        #expect(service.ids == ["bookary", "stedio"])
        daemon.answer(Replies.daemon(["littory"]))
        while service.state != .loaded { await service.loadApps() }
        #expect(service.error == nil)
        #expect(service.ids == ["littory"])
    }

    @Test(arguments: [
        ("\"canRetry\":false", "\"canRetry\":0", "canRetry"), ("\"id\":\"bookary\",", "", "id"),
        ("https://a.example/bookary", "http://a.example", "iconURL"),
        ("https://apps.apple.com/app/id-bookary", "--help", "storeURL"),
        ("#005f87", "url(https://a.example)", "color"),
    ])
    func aMemberThatIsWrongIsABadReplyThatNamesIt(right: String, wrong: String, member: String) async throws {
        let list = Replies.list(["bookary"]).replacing(right, with: wrong)
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(list) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.error?.code == .badReply)
        #expect(service.apps == [])
        #expect(service.error?.message.contains("\"\(member)\"") == true)
    }

    // MARK: Cancellation

    @Test(arguments: [
        nil, Replies.list(["bookary"], state: "expired"),
        Replies.list([], state: "empty", source: "none", canRetry: true),
    ])
    func aCancelledLoadEndsAtOnceAndLeavesTheListAsItWas(list: String?) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in list.map { .result($0) } ?? .silence })
        let service = try PromoService(of: daemon)
        if list != nil { await service.loadApps() }
        let (state, ids) = (service.state, service.ids)
        daemon.answer(Replies.daemon("list") { _ in .silence })
        let load = Task { await service.loadApps() }
        await daemon.wasAsked("list", times: list == nil ? 1 : 2)
        load.cancel()
        await load.value
        #expect(service.state == state)
        #expect(service.ids == ids)
        #expect(service.error == nil)
        #expect(!service.isLoading)
    }

    @Test func aCancelledLoadDoesNotCancelOthers() async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in
                gate.pass()
                return .result(Replies.list(["bookary"]))
            })
        let service = try PromoService(of: daemon)
        async let first: Void = service.loadApps()
        await daemon.wasAsked("list")
        let second = Task { await service.loadApps() }
        second.cancel()
        await second.value
        #expect(service.state == .loading)
        gate.open()
        await first
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary"])
    }
}
