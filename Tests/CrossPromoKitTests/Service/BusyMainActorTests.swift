import CrossPromoKit
import PromoTestSupport
import Testing

/// Calls from elsewhere while the main actor does something else.
@Suite(.timeLimit(.minutes(5))) struct BusyMainActorTests {
    @Test func aCallThatIsGivenUpHasNoEffectLater() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let recorder = await MainActor.run { EventRecorder() }
        let service = try await PromoService(of: daemon, timeout: .milliseconds(50), eventDelegate: recorder)
        let row = try PromoApp.sample()
        let gate = Gate()
        let begun = AsyncStream<Void>.makeStream()
        let busy = Task { @MainActor in
            begun.continuation.finish()
            gate.pass()
        }
        for await _ in begun.stream {}
        await service.loadApps()
        #expect(await service.handleAppTap(row) == .store(row.storeURL))
        gate.open()
        await busy.value
        // Whatever waited for the main actor has run after this.
        await Task { @MainActor in }.value
        #expect(await service.state == .idle)
        #expect(await recorder.events.isEmpty)
        #expect(daemon.requests.isEmpty)
    }
}
