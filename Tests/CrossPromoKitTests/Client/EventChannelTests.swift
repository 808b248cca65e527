import CrossPromoKit
import PromoTestSupport
import Testing

/// All services of one socket share a connection for its events.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct EventChannelTests {
    private func services(_ count: Int, of daemon: ScriptedDaemon) async throws -> [PromoService] {
        var services: [PromoService] = []
        for _ in 0..<count {
            let service = try PromoService(of: daemon)
            await service.loadApps()
            services.append(service)
        }
        return services
    }

    @Test func theConnectionEndsWithTheLastService() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var services = try await services(3, of: daemon)
        await daemon.hasSubscribers(1)
        services.removeLast(2)
        #expect(services.count == 1)
        await daemon.hasSubscribers(1)
        services = []
        await daemon.hasSubscribers(0)
        let later = try await self.services(1, of: daemon)
        await daemon.hasSubscribers(1)
        #expect(later.first?.state == .loaded)
    }

    @Test func aServiceThatComesLaterMissesNoChange() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let first = try await services(1, of: daemon)
        await daemon.hasSubscribers(1)
        let second = try await services(1, of: daemon)
        // Each asks once, when it has its place in the channel.
        #expect(daemon.requests("list").count == 2)
        daemon.answer(Replies.daemon(["littory"]))
        daemon.push(Replies.catalogEvent(1))
        for service in first + second { await service.comes { $0.ids == ["littory"] } }
    }
}
