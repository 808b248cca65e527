import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// No request waits past its deadline, or after it was cancelled.
@Suite(.timeLimit(.minutes(15))) struct PatienceTests {
    private static let short = Duration.milliseconds(200)

    private func time(_ operation: () async throws -> Void) async rethrows -> Duration {
        try await ContinuousClock().measure(operation)
    }

    @Test func aSilentDaemonIsWaitedForUntilTheTimeout() async throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        let client = DaemonClient(socketPath: daemon.path, timeout: Self.short)
        let elapsed = try await time {
            let error = try await #require(throws: PromoError.self) { try await client.answer(to: .status) }
            #expect(error.code == .timedOut)
            #expect(error.message.contains(daemon.path))
            #expect(error.message.contains("systemctl --user restart promod"))
        }
        #expect(elapsed >= Self.short)
        await daemon.hasConnections(0)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func aCallMayHaveATimeoutOfItsOwnAndOfZeroItTimesOutAtOnce(timeout: Duration) async throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(600))
        let error = try await #require(throws: PromoError.self) {
            try await client.answer(to: .command(.refresh(RefreshParameters())), timeout: timeout)
        }
        #expect(error.code == .timedOut)
    }

    @Test func aTimeoutMayBeOfAnyLength() async throws {
        let daemon = try ScriptedDaemon { _ in .result("1") }
        #expect(
            try await DaemonClient(socketPath: daemon.path, timeout: .seconds(Int64.max / 4)).answer(to: .status)
                .integer == 1)
    }

    @Test func endlessBytesDoNotExtendTheTimeout() async throws {
        let daemon = try ScriptedDaemon { _ in .endless }
        let client = DaemonClient(socketPath: daemon.path, timeout: Self.short)
        let error = try await #require(throws: PromoError.self) { try await client.answer(to: .status) }
        #expect(error.code == .timedOut)
        await daemon.hasConnections(0)
    }

    @Test func aQueueThatIsFullIsWaitedForUntilTheTimeout() async throws {
        let full = try FullQueue()
        let client = DaemonClient(socketPath: full.path, timeout: Self.short)
        let elapsed = try await time {
            let error = try await #require(throws: PromoError.self) { try await client.answer(to: .status) }
            #expect(error.code == .timedOut)
        }
        #expect(elapsed >= Self.short)
    }

    // MARK: Cancellation

    @Test(arguments: [.silence, .endless] as [ScriptedDaemon.Answer])
    func cancellingATaskEndsItsWaitWhateverComes(answer: ScriptedDaemon.Answer) async throws {
        let daemon = try ScriptedDaemon { _ in answer }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(600))
        let task = Task { try await #require(throws: PromoError.self) { try await client.answer(to: .status) } }
        await daemon.wasAsked("status")
        task.cancel()
        #expect(try await task.value.code == .cancelled)
        await daemon.hasConnections(0)
    }

    @Test func aTaskThatWasCancelledBeforeSendsNothing() async throws {
        let daemon = try ScriptedDaemon { _ in .result("1") }
        let client = DaemonClient(socketPath: daemon.path)
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate.stream {}
            return try await #require(throws: PromoError.self) {
                try await client.answer(to: .command(.clear()))
            }
        }
        task.cancel()
        #expect(try await task.value.code == .cancelled)
        await daemon.hasConnections(0)
        #expect(daemon.requests.isEmpty)
    }

}

/// A listening socket that accepts no connection, and whose queue is full.
private final class FullQueue: Sendable {
    private let scratch: ScratchDirectory
    private let listener: Int32
    private let waiting: [Int32]
    let path: String

    init() throws {
        scratch = try ScratchDirectory()
        path = scratch("promod.sock")
        listener = try UnixSocket.listen(at: path)
        listen(listener, 0)
        var waiting: [Int32] = []
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        repeat {
            waiting.append(socket(AF_UNIX, type, 0))
        } while UnixSocket.withAddress(path) { connect(waiting[waiting.count - 1], $0, $1) } == 0
        self.waiting = waiting
    }

    deinit {
        for descriptor in waiting + [listener] { close(descriptor) }
    }
}
