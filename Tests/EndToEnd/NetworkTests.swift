import Foundation
import PromoTestSupport
import Testing

/// The built daemon in a network of its own, which a test removes and restores.
@Suite(.enabled(if: getuid() == 0, "only root can make a network namespace"))
struct NetworkTests {
    private func daemon(_ environment: [String: String] = [:]) throws -> DaemonUnderTest {
        try DaemonUnderTest(environment: environment, launcher: ["unshare", "--net", "--"])
    }

    private func ip(_ daemon: DaemonUnderTest, _ arguments: String...) throws {
        let (end, _, error) = try ChildProcess.run(
            ["nsenter", "--target", "\(daemon.process.pid)", "--net", "ip"] + arguments)
        guard end == .exited(0) else { throw TestFailure("ip \(arguments): \(error)") }
    }

    @Test func withoutARouteATapIsAnsweredWithTheOfflineMessageInTheLanguageAskedFor() throws {
        let daemon = try daemon()
        #expect(try daemon.ask(#"{"method":"status"}"#).result["online"] as? Bool == false)
        let korean = try daemon.ask(#"{"method":"tap","app":"bookary","language":"ko_KR.UTF-8"}"#)
        #expect(korean.result["presentation"] as? String == "offline")
        #expect((korean.result["message"] as? String)?.contains("인터넷") == true)
        #expect(korean.result["storeURL"] as? String == "https://example.com/?app=bookary")
        let english = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        #expect((english.result["message"] as? String)?.contains("internet connection") == true)

        try ip(daemon, "link", "add", "wan", "type", "veth", "peer", "name", "far")
        try ip(daemon, "address", "add", "192.0.2.1/24", "dev", "wan")
        try ip(daemon, "link", "set", "far", "up")
        try ip(daemon, "link", "set", "wan", "up")
        try ip(daemon, "route", "add", "default", "via", "192.0.2.2")
        let online = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        #expect(online.result["presentation"] as? String == "store")
        #expect(online.result["message"] == nil)
    }
}
