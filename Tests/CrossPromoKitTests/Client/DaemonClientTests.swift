@testable import CrossPromoKit
import Foundation
import Glibc
import PromoSystem
import PromoTestSupport
import PromoWire
import Testing

/// Requests to a daemon, and their answers.
@Suite(.timeLimit(.minutes(15))) struct DaemonClientTests {
    @Test func anErrorBeforeTheEndOfTheConnectionIsReported() throws {
        // The daemon does so with a connection over the limit, before it has read a byte.
        let scratch = try ScratchDirectory()
        let listener = try UnixSocket.listen(at: scratch("promod.sock"))
        defer { close(listener) }
        var connection = try DaemonClient(socketPath: scratch("promod.sock")).connect()
        let accepted = accept(listener, nil, nil)
        let line = Array(#"{"error":{"message":"Full.","data":{"reason":"busy"}}}"#.utf8) + [0x0A]
        _ = line.withUnsafeBytes { write(accepted, $0.baseAddress, $0.count) }
        close(accepted)
        var refusal: PromoError?
        do throws(PromoError) {
            _ = try connection.ask(line: Request(.status).line, deadline: .after(.seconds(60)))
        } catch { refusal = error }
        #expect(refusal == PromoError(.refused, reason: "busy", message: "Full."))
    }

    @Test func aReplyMayComeInPiecesAndBeLong() async throws {
        let daemon = try ScriptedDaemon { _ in .result("\"" + String(repeating: "é", count: 1_000_000) + "\"") }
        let answer = try await DaemonClient(socketPath: daemon.path, timeout: .seconds(40)).answer(to: .status)
        #expect(answer.string?.utf8.count == 2_000_000)
    }

    @Test func anEventIsNoReply() throws {
        let daemon = try ScriptedDaemon { _ in .bytes("{\"method\":\"event\",\"params\":{\"seq\":1}}\n") }
        let error = #expect(throws: PromoError.self) { try DaemonClient(socketPath: daemon.path).ask(.status) }
        #expect(error?.code == .badReply)
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
        #expect(daemon.requests("list").count == 4)
        #expect(daemon.requests("reload").count == 2)
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

    @Test func aRepeatableRequestIsSentOnlyOnceMoreAfterAPause() throws {
        let daemon = try ScriptedDaemon { _ in .end }
        let begin = ContinuousClock.now
        let error = #expect(throws: PromoError.self) {
            try DaemonClient(socketPath: daemon.path).ask(.list(ListParameters()))
        }
        // A daemon that was killed is gone by then.
        #expect(begin.duration(to: .now) >= .milliseconds(100))
        #expect(error?.code == .connectionLost)
        #expect(daemon.requests.count == 2)
    }
}
