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

    @Test func aQueueThatIsFullIsWaitedForUntilTheTimeout() async throws {
        let full = try FullQueue()
        let client = DaemonClient(socketPath: full.path, timeout: Self.short)
        let elapsed = try await ContinuousClock().measure {
            let error = try await #require(throws: PromoError.self) { try await client.answer(to: .status) }
            #expect(error.code == .timedOut)
        }
        #expect(elapsed >= Self.short)
    }

    @Test func cancellingATaskEndsItsWaitWhateverComes() async throws {
        let daemon = try ScriptedDaemon { _ in .endless }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(600))
        let task = Task { try await #require(throws: PromoError.self) { try await client.answer(to: .status) } }
        await daemon.wasAsked("status")
        task.cancel()
        #expect(try await task.value.code == .cancelled)
        await daemon.hasConnections(0)
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
