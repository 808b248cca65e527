import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Requests to a daemon, and their answers.
@Suite(.timeLimit(.minutes(15))) struct DaemonClientTests {
    @Test func aRequestIsOneLineAndItsAnswerTheResult() async throws {
        let daemon = try ScriptedDaemon { _ in .result("{\"emitted\":2}") }
        let client = DaemonClient(socketPath: daemon.path)
        let answer = try await client.answer(to: .impression(ImpressionParameters(apps: ["a", "b"], host: "finebill")))
        #expect(answer["emitted"]?.integer == 2)
        #expect(
            daemon.requests.map(\.line) == [
                #"{"jsonrpc":"2.0","id":1,"method":"impression","params":{"apps":["a","b"],"host":"finebill"}}"#
            ])
        await daemon.hasConnections(0)
    }

    @Test func aBlockingRequestHasTheSameAnswer() throws {
        let daemon = try ScriptedDaemon { .result("\"\($0.method)\"") }
        let client = DaemonClient(socketPath: daemon.path)
        #expect(try client.ask(.status).string == "status")
    }

    @Test func aRefusalHasTheDaemonsReasonAndMessage() async throws {
        let daemon = try ScriptedDaemon { _ in .refusal("busy") }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error == PromoError(.refused, reason: "busy", message: "No: busy."))
        #expect("\(error)" == "No: busy.")
        #expect(daemon.requests.count == 1)
    }

    @Test func aRefusalMayComeWithoutAReason() async throws {
        let daemon = try ScriptedDaemon { _ in .bytes("{\"error\":{\"message\":\"No.\"}}\n") }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error == PromoError(.refused, reason: "", message: "No."))
    }

    @Test func aReplyMayComeInPiecesAndBeLong() async throws {
        let daemon = try ScriptedDaemon { _ in .result("\"" + String(repeating: "é", count: 1_000_000) + "\"") }
        let answer = try await DaemonClient(socketPath: daemon.path, timeout: .seconds(40)).answer(to: .status)
        #expect(answer.string?.utf8.count == 2_000_000)
    }

    @Test func aReplyMayNestSixtyFourDeep() async throws {
        @Sendable func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let daemon = try ScriptedDaemon { .result(nested($0.integer("completed") ?? 0)) }
        let client = DaemonClient(socketPath: daemon.path)
        let answer = try await client.answer(to: .command(.reviewEligible(ReviewParameters(app: "a", completed: 63))))
        #expect(answer.kind == .array)
        let error = try await #require(throws: PromoError.self) {
            try await client.answer(to: .command(.reviewEligible(ReviewParameters(app: "a", completed: 64))))
        }
        #expect(error.code == .badReply)
    }

    @Test(
        arguments: [
            "\n", "hello\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "[]\n", "1\n", "null\n", "{}\n",
            "{\"result\":1,\"result\":2}\n",
            "{\"result\":1,}\n", "{\"error\":{}}\n", "{\"error\":{\"message\":1}}\n", "{\"error\":\"no\"}\n",
            "{\"id\":1}\n", "\u{0}\n",
            "{\"method\":\"event\",\"params\":{\"seq\":1}}\n", "{\"result\":NaN}\n", "{\"result\":\"\\ud800\"}\n",
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]\n",
        ])
    func anythingButAReplyIsABadReply(bytes: String) async throws {
        let daemon = try ScriptedDaemon { _ in .bytes(bytes) }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error.code == .badReply)
    }

    @Test(arguments: [63, 64, 65, 100_000])
    func nestingNeverOverflowsTheStack(depth: Int) async throws {
        let daemon = try ScriptedDaemon { _ in .bytes(String(repeating: "{\"a\":", count: depth) + "\n") }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error.code == .badReply)
    }

    // MARK: Connections that end

    private static let repeatable: [Request.Method] = [
        .list(ListParameters()), .status, .command(.reviewEligible(ReviewParameters(app: "a", completed: 1))),
        .command(.launch(app: "a")), .discover,
    ]
    private static let unrepeatable: [Request.Method] = [
        .tap(TapParameters(app: "a")), .impression(ImpressionParameters(apps: ["a"])),
        .command(.reviewRequest(ReviewParameters(app: "a", completed: 1))), .command(.refresh(RefreshParameters())),
        .command(.clear()),
        .subscribe(SubscribeParameters()), .command(.reload),
    ]

    @Test(arguments: repeatable)
    func aRepeatableRequestIsSentOnceMoreAfterALostConnection(method: Request.Method) async throws {
        let count = Mutex(0)
        let daemon = try ScriptedDaemon { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? .end : .result("\(count)")
            }
        }
        let answer = try await DaemonClient(socketPath: daemon.path).answer(to: method)
        #expect(answer.integer == 2)
        daemon.answer { _ in .end }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: method)
        }
        #expect(error.code == .connectionLost)
        #expect(error.message.contains(daemon.path))
        #expect(daemon.requests.count == 4)
    }

    @Test(arguments: unrepeatable)
    func aRequestWithAnEffectIsNeverSentTwice(method: Request.Method) async throws {
        let daemon = try ScriptedDaemon { _ in .end }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: method)
        }
        #expect(error.code == .connectionLost)
        #expect(daemon.requests.count == 1)
    }

    @Test func anAnswerWithoutALineFeedDoesNotCount() async throws {
        let daemon = try ScriptedDaemon { _ in .bytes("{\"result\":1}") }
        let client = DaemonClient(socketPath: daemon.path, timeout: .seconds(40))
        let task = Task {
            try await #require(throws: PromoError.self) { try await client.answer(to: .command(.clear())) }
        }
        await daemon.wasAsked("clear")
        daemon.hangUp()
        #expect(try await task.value.code == .connectionLost)
    }

    @Test func anErrorBeforeTheEndOfTheConnectionIsReported() async throws {
        // The daemon does so with a connection over the limit, before it has read a byte.
        let scratch = try ScratchDirectory()
        let path = scratch("promod.sock")
        let listener = try UnixSocket.listen(at: path)
        defer { close(listener) }
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            let line = Array("{\"error\":{\"message\":\"Full.\",\"data\":{\"reason\":\"busy\"}}}\n".utf8)
            _ = line.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            shutdown(connection, Int32(SHUT_RDWR))
            close(connection)
        }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: path).answer(to: .command(.clear()))
        }
        #expect(error == PromoError(.refused, reason: "busy", message: "Full."))
    }
}
