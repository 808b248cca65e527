import CrossPromoKit
import Observation
import PromoTestSupport
import Synchronization
import Testing

/// A service keeps its list up to date.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct SubscriptionTests {
    /// A service that has loaded its list and has subscribed.
    private func subscribedService(of daemon: ScriptedDaemon) async throws -> PromoService {
        let service = try PromoService(of: daemon)
        await service.loadApps()
        await daemon.hasSubscribers(1)
        return service
    }

    @Test func aCatalogEventReloadsTheList() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try await subscribedService(of: daemon)
        #expect(daemon.requests("subscribe").map(\.names) == [[]])
        for (seq, id) in ["littory", "fittoday", "stedio"].enumerated() {
            daemon.answer(Replies.daemon([id]))
            daemon.push(Replies.catalogEvent(seq + 1))
            await service.comes { $0.ids == [id] }
        }
        #expect(service.state == .loaded)
    }

    @Test func aDaemonThatEndsIsSaidAndOneThatIsStartedReloadsTheList() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try await subscribedService(of: daemon)
        daemon.stop()
        await service.comes { $0.error?.code == .daemonUnreachable }
        #expect(service.state == .cached)
        #expect(service.ids == ["bookary", "stedio"])
        daemon.answer(Replies.daemon(["littory"]))
        try daemon.start()
        await service.comes { $0.ids == ["littory"] && $0.error == nil && $0.state == .loaded }
        await daemon.hasSubscribers(1)
    }

    @Test func aConnectionThatIsRestoredAtOnceIsNoTrouble() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try await subscribedService(of: daemon)
        var seen: Set<PromoError.Code?> = []
        let observing = Task { for await code in Observations({ service.error?.code }) { seen.insert(code) } }
        let before = daemon.requests("list").count
        daemon.hangUp()
        await daemon.wasAsked("subscribe", times: 2)
        await daemon.wasAsked("list", times: before + 1)
        await service.comes { !$0.isLoading }
        observing.cancel()
        await observing.value
        #expect(seen == [nil])
    }

    @Test func aChangeBetweenTheListAndTheSubscriptionIsNotMissed() async throws {
        // The catalog changes after the list was sent and before the service has subscribed.
        let isChanged = Mutex(false)
        let daemon = try ScriptedDaemon { request in
            if request.method == "subscribe" { isChanged.withLock { $0 = true } }
            return Replies.daemon(isChanged.withLock { $0 } ? ["littory"] : ["bookary"])(request)
        }
        let service = try PromoService(of: daemon)
        await service.loadApps()
        await service.comes { $0.ids == ["littory"] }
        #expect(service.ids == ["littory"])
    }

    @Test func repeatedLoadsSubscribeOnlyOnce() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try await subscribedService(of: daemon)
        await service.loadApps()
        await service.forceRefresh()
        await service.loadApps()
        #expect(daemon.requests("subscribe").count == 1)
        #expect(service.state == .loaded)
    }

    @Test func eventsThatComeTogetherReloadTheListOnce() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try await subscribedService(of: daemon)
        let gate = Gate()
        defer { gate.open() }
        let before = daemon.requests("list").count
        daemon.answer(
            Replies.daemon("list") { _ in
                gate.pass()
                return .result(Replies.list(["littory"]))
            })
        daemon.push(Replies.catalogEvent(1))
        await daemon.wasAsked("list", times: before + 1)
        for seq in 2...50 { daemon.push(Replies.catalogEvent(seq)) }
        daemon.push(Replies.catalogEvent(51))
        gate.open()
        await service.comes { $0.ids == ["littory"] && !$0.isLoading }
        daemon.answer(Replies.daemon(["last"]))
        daemon.push(Replies.catalogEvent(52))
        await service.comes { $0.ids == ["last"] }
        #expect(daemon.requests("list").count < before + 20)
    }

    // MARK: Ends

    @Test func aServiceIsReleasedWithoutADaemonToo() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var service: PromoService? = try await subscribedService(of: daemon)
        weak let witness = service
        daemon.stop()
        await service?.comes { !$0.isLoading }
        service = nil
        // What was under way when it was released may retain it for a moment.
        let end = ContinuousClock.now + .seconds(60)
        while witness != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(witness == nil)
    }
}
