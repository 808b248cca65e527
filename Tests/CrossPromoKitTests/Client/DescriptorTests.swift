import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// No descriptor stays open. The test runs in a process of its own, where nothing else opens any.
@Suite(.timeLimit(.minutes(2))) struct DescriptorTests {
    // A sanitizer's symboliser has descriptors of its own.
    @Test(.disabled(if: Sanitizer.isOn)) func requestsLeaveNoDescriptorHoweverTheyEnd() async {
        await #expect(processExitsWith: .success) {
            let daemon = try ScriptedDaemon { request in
                switch request.method {
                case "status": .result("1")
                case "clear": .end
                default: .silence
                }
            }
            let client = DaemonClient(socketPath: daemon.path)
            let nobody = DaemonClient(socketPath: "/nowhere/promod.sock")
            func ask(_ rounds: Int) async {
                for _ in 0..<rounds {
                    _ = try? await client.answer(to: .status)
                    _ = try? await client.answer(to: .command(.clear()))
                    _ = try? await client.answer(to: .discover, timeout: .milliseconds(5))
                    _ = try? await nobody.answer(to: .status)
                    let cancelled = Task { _ = try? await client.answer(to: .discover) }
                    cancelled.cancel()
                    await cancelled.value
                }
                await daemon.hasConnections(0)
            }
            // What the library opens once is open after these.
            await ask(3)
            let before = try Self.count()
            await ask(100)
            // A thread that has answered may close its own a moment later.
            #expect(try comes { try Self.count() <= before })
        }
    }

    /// The number of open descriptors, without those of timers: Dispatch opens one for each clock when it first needs it, and keeps it.
    private static func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                != "anon_inode:[timerfd]"
        }
    }
}
