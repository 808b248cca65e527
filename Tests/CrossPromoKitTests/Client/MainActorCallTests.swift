@testable import CrossPromoKit
import PromoTestSupport
import Synchronization
import Testing

/// Calls that need the main actor while it does something else.
@Suite(.timeLimit(.minutes(5))) struct MainActorCallTests {
    private final class Runs: Sendable {
        private let count = Mutex(0)

        func add() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Keeps the main actor busy until the body has ended.
    private func whileBusy(_ body: () async -> Void) async {
        let gate = Gate()
        let begun = AsyncStream<Void>.makeStream()
        let busy = Task { @MainActor in
            begun.continuation.finish()
            gate.pass()
        }
        for await _ in begun.stream {}
        await body()
        gate.open()
        await busy.value
        // Whatever waited for the main actor has run after this.
        await MainActor.run {}
    }

    @Test func aCallThatIsGivenUpHasNoEffect() async {
        let runs = Runs()
        await whileBusy {
            let result = await MainActorCall.make(within: .milliseconds(50), otherwise: -1) { runs.add() }
            #expect(result == -1)
        }
        #expect(runs.add() == 1)
    }

    @Test func aCallThatIsCancelledBeforeItBeginsEndsAtOnce() async {
        await whileBusy {
            let call = Task { await MainActorCall.make(within: .seconds(600), otherwise: 1) { 2 } }
            call.cancel()
            #expect(await call.value == 1)
        }
    }

    @Test func aCallHasTheResultOfItsBody() async {
        #expect(await MainActorCall.make(within: .seconds(600), otherwise: 1) { 2 } == 2)
    }
}
