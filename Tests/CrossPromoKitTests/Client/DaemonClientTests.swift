@testable import CrossPromoKit
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

    @Test(
        arguments: [
            (.refusal("busy"), "busy", "No: busy."), (.bytes("{\"error\":{\"message\":\"No.\"}}\n"), "", "No."),
        ] as [(ScriptedDaemon.Answer, String, String)])
    func aRefusalHasTheDaemonsReasonIfThereIsOneAndMessage(
        answer: ScriptedDaemon.Answer, reason: String, message: String
    ) throws {
        let daemon = try ScriptedDaemon { _ in answer }
        let error = #expect(throws: PromoError.self) { try DaemonClient(socketPath: daemon.path).ask(.status) }
        #expect(error == PromoError(.refused, reason: reason, message: message))
        #expect(daemon.requests.count == 1)
    }

    @Test func aReplyMayComeInPiecesAndBeLong() async throws {
        let daemon = try ScriptedDaemon { _ in .result("\"" + String(repeating: "é", count: 1_000_000) + "\"") }
        let answer = try await DaemonClient(socketPath: daemon.path, timeout: .seconds(40)).answer(to: .status)
        #expect(answer.string?.utf8.count == 2_000_000)
    }

    private static let badReplies = [
        "\n", "hello\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "null\n", "{}\n", "{\"result\":1,\"result\":2}\n",
        "{\"error\":{}}\n", "{\"id\":1}\n", "\u{0}\n", "{\"method\":\"event\",\"params\":{\"seq\":1}}\n",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]\n", String(repeating: "{\"a\":", count: 100_000) + "\n",
    ]

    @Test(arguments: badReplies)
    func anythingButAReplyIsABadReply(bytes: String) async throws {
        let daemon = try ScriptedDaemon { _ in .bytes(bytes) }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error.code == .badReply)
    }

    // MARK: The app's own catalog

    @Test func promodIsAskedOnceMoreWhenAnotherServiceHasToldItTheCatalog() throws {
        let (scratch, daemon) = (try ScratchDirectory(), try ScriptedDaemon { _ in .refusal("unknown-catalog") })
        for _ in 1...2 {
            var client = DaemonClient(socketPath: daemon.path)
            client.own = OwnCatalog(app: "finebill", address: "https://a.example/", environment: ["HOME": scratch.path])
            let error = #expect(throws: PromoError.self) { try client.ask(.list(ListParameters())) }
            #expect(error?.code == .unknownCatalog)
        }
        #expect(daemon.requests("list").count == 4 && daemon.requests("reload").count == 2)
        #expect(scratch.read(".local/share/promod/catalogs.d/app-finebill.toml") == "url = \"https://a.example/\"\n")
    }

    @Test func promodReadsItsFilesAgainOnceIfTheBundledListIsAnotherOne() throws {
        let (scratch, daemon) = (try ScratchDirectory(), try ScriptedDaemon { _ in .result("{}") })
        let copy = ".local/share/promod/catalogs.d/app-finebill"
        try scratch.write("\(copy).toml", "url = \"https://a.example/\"\n")
        for (name, list) in [("same", #"{"apps":[]}"#), ("new", #"{ "apps": [] }"#)] {
            if name == "same" { try scratch.write("\(copy).json", list) }
            try scratch.write(name, list)
            var client = DaemonClient(socketPath: daemon.path)
            client.own = OwnCatalog(
                app: "finebill", address: "https://a.example/", bundled: scratch(name),
                environment: ["HOME": scratch.path])
            for _ in 1...2 { _ = try client.ask(.list(ListParameters())) }
            #expect(daemon.requests("reload").count == (name == "same" ? 0 : 1))
            #expect(scratch.read("\(copy).json") == list)
        }
    }

    // MARK: Connections that end

    private static let repeatable: [Request.Method] = [
        .list(ListParameters()), .command(.reviewEligible(ReviewParameters(app: "a", completed: 1))),
    ]
    private static let unrepeatable: [Request.Method] = [
        .tap(TapParameters(app: "a")), .impression(ImpressionParameters(apps: ["a"])),
        .command(.reviewRequest(ReviewParameters(app: "a", completed: 1))), .command(.refresh(RefreshParameters())),
    ]

    @Test(arguments: repeatable)
    func aRepeatableRequestIsSentOnceMoreAfterALostConnection(method: Request.Method) async throws {
        let count = Mutex(0)
        let begin = ContinuousClock.now
        let daemon = try ScriptedDaemon { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? .end : .result("\(count)")
            }
        }
        let answer = try await DaemonClient(socketPath: daemon.path).answer(to: method)
        #expect(answer.integer == 2)
        // One that was killed is gone by then.
        #expect(begin.duration(to: .now) >= .milliseconds(100))
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
