import CrossPromoKit
import Glibc
import PromoTestSupport
import PromoWire
import Testing

/// Requests to a daemon that is not running.
@Suite(.timeLimit(.minutes(15))) struct UnreachableDaemonTests {
    @Test func ifNobodyServesTheErrorNamesThePathTheReasonAndWhatToDo() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch("promod.sock")
        for reason in ["no such file or directory", "connection refused"] {
            if reason == "connection refused" { close(try UnixSocket.listen(at: path)) }
            let error = try await #require(throws: PromoError.self) {
                try await DaemonClient(socketPath: path).answer(to: .status)
            }
            #expect(error.code == .daemonUnreachable)
            for part in [path, reason, "systemctl --user restart promod.socket"] {
                #expect(error.message.contains(part))
            }
        }
    }

    @Test func aPathThatIsTooLongIsNamedWithTheLimit() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 99)
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: path).answer(to: .status)
        }
        #expect(error.code == .daemonUnreachable)
        #expect(error.message.contains(path))
        #expect(error.message.contains("104 bytes"))
        #expect(error.message.contains("103"))
    }

    @Test func theErrorSaysIfThePathIsFromTheEnvironment() async {
        await #expect(processExitsWith: .success) {
            setenv("PROMOD_SOCKET", "/nonexistent", 1)
            let error = #expect(throws: PromoError.self) { try DaemonClient().ask(.status) }
            #expect(error?.message.contains("PROMOD_SOCKET") == true)
            let given = #expect(throws: PromoError.self) { try DaemonClient(socketPath: "/nowhere").ask(.status) }
            #expect(given?.message.contains("PROMOD_SOCKET") == false)
        }
    }

    @Test func thePathComesFromTheEnvironmentIfNoneIsGiven() async {
        await #expect(processExitsWith: .success) {
            setenv("XDG_RUNTIME_DIR", "/tmp", 1)
            unsetenv("PROMOD_SOCKET")
            let usual = [try DaemonClient().socketPath(), try DaemonClient(socketPath: "").socketPath()]
            setenv("PROMOD_SOCKET", "/elsewhere.sock", 1)
            let chosen = [try DaemonClient().socketPath(), try DaemonClient(socketPath: "/given.sock").socketPath()]
            #expect(usual == ["/tmp/promod/promod.sock", "/tmp/promod/promod.sock"])
            #expect(chosen == ["/elsewhere.sock", "/given.sock"])
        }
    }
}
