import CrossPromoKit
import PromoTestSupport
import PromoWire
import Testing

/// The requests of a process to one socket share a connection, and those that wait for a fetch another one.
@Suite(.timeLimit(.minutes(15))) struct RequestQueueTests {
    @Test func manyRequestsShareAConnectionAndEndWithIt() async throws {
        let gate = Gate()
        let daemon = try ScriptedDaemon { _ in
            gate.pass()
            return .result("1")
        }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(90))
        let answers = Task {
            await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<300 { group.addTask { try? await client.answer(to: .status).integer } }
                return await group.reduce(0) { $0 + ($1 ?? 0) }
            }
        }
        await daemon.wasAsked("status")
        await daemon.hasConnections(1)
        #expect(daemon.requests.count == 1)
        gate.open()
        #expect(await answers.value == 300)
        await daemon.hasConnections(0)
    }

    @Test func aRequestThatWaitsForAFetchDelaysNoOther() async throws {
        let daemon = try ScriptedDaemon { $0.method == "refresh" ? .silence : .result("1") }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(90))
        let waiting = (0..<10).map { _ in Task { try await client.answer(to: .command(.refresh(RefreshParameters()))) }
        }
        await daemon.wasAsked("refresh")
        #expect(try await client.answer(to: .status).integer == 1)
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        await daemon.hasConnections(0)
    }

    @Test func aRequestThatWaitsForItsTurnHasItsOwnTimeout() async throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        let patient = DaemonClient(socketPath: daemon.path, timeout: .seconds(600))
        let asking = Task { try await patient.answer(to: .status) }
        await daemon.wasAsked("status")
        let hasty = DaemonClient(socketPath: daemon.path, timeout: .milliseconds(100))
        let error = await #expect(throws: PromoError.self) { try await hasty.answer(to: .status) }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains(daemon.path) == true)
        #expect(daemon.requests.count == 1)
        asking.cancel()
        _ = await asking.result
    }
}
