import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// No descriptor stays open. Each test runs in a process of its own, where nothing else opens any.
@Suite(.timeLimit(.minutes(2))) struct DescriptorTests {
    // A sanitizer's symboliser has descriptors of its own.
    @Test(.disabled(if: Sanitizer.isOn)) func aThousandRequestsLeaveNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let daemon = try ScriptedDaemon { $0.method == "clear" ? .end : .result("1") }
            let client = DaemonClient(socketPath: daemon.path)
            _ = try await client.answer(to: .status)
            await daemon.hasConnections(0)
            let before = try Descriptors.count()
            let nobody = DaemonClient(socketPath: "/nowhere/promod.sock")
            for round in 0..<1000 {
                _ = try? await client.answer(to: round.isMultiple(of: 2) ? .status : .command(.clear()))
                _ = try? await nobody.answer(to: .status)
            }
            await daemon.hasConnections(0)
            let isAsBefore = try await Descriptors.fall(to: before)
            #expect(isAsBefore)
        }
    }

    @Test func cancelledRequestsLeaveNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let daemon = try ScriptedDaemon { _ in .silence }
            let client = DaemonClient(socketPath: daemon.path, timeout: .milliseconds(5))
            _ = try? await client.answer(to: .status)
            await daemon.hasConnections(0)
            let before = try Descriptors.count()
            for round in 0..<100 {
                let task = Task { _ = try? await client.answer(to: .status) }
                if round.isMultiple(of: 2) { task.cancel() }
                await task.value
            }
            await daemon.hasConnections(0)
            let isAsBefore = try await Descriptors.fall(to: before)
            #expect(isAsBefore)
        }
    }
}
