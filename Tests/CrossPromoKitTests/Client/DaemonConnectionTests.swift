import CrossPromoKit
import Glibc
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// A connection for more than one request.
@Suite(.timeLimit(.minutes(15))) struct DaemonConnectionTests {
    private let deadline = Deadline.after(.seconds(20))

    @Test func requestsAreAnsweredOneAfterAnother() throws {
        let daemon = try ScriptedDaemon { .result("\"\($0.method)\"") }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        for method in ["one", "two", "three"] {
            let line = Array("{\"method\":\"\(method)\"}\n".utf8)
            #expect(try connection.ask(line: line, deadline: deadline).string == method)
        }
    }

    @Test func linesThatArriveTogetherAreReadOneByOne() throws {
        let daemon = try ScriptedDaemon { _ in .bytes("one\r\n\ntwo\nthr") }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        try connection.send(Array("{}\n".utf8), deadline: deadline)
        #expect(try connection.receive(deadline: deadline) == Array("one\r".utf8))
        #expect(try connection.receive(deadline: deadline) == [])
        #expect(try connection.receive(deadline: deadline) == Array("two".utf8))
        daemon.answer { _ in .bytes("ee\n") }
        try connection.send(Array("{}\n".utf8), deadline: deadline)
        #expect(try connection.receive(deadline: deadline) == Array("three".utf8))
    }

    @Test func aLongRequestIsSentWhole() throws {
        let daemon = try ScriptedDaemon { .result("\($0.line.utf8.count)") }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000) + [UInt8(ascii: "\n")]
        #expect(try connection.ask(line: line, deadline: deadline).integer == 1_000_000)
    }

    @Test func everyReadOfAConnectionThatEndedFails() throws {
        let daemon = try ScriptedDaemon { _ in .end }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        for _ in 0..<3 {
            try connection.send(Array("{}\n".utf8), deadline: deadline)
            var code: PromoError.Code?
            do throws(PromoError) { _ = try connection.receive(deadline: deadline) } catch { code = error.code }
            #expect(code == .connectionLost)
        }
    }

    @Test func anInterruptedConnectionStaysInterrupted() throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        let interruption = Interruption()
        var connection = try DaemonClient(socketPath: daemon.path).connect(interruption: interruption)
        interruption.fire()
        for _ in 0..<3 {
            var code: PromoError.Code?
            do throws(PromoError) { _ = try connection.receive(deadline: deadline) } catch { code = error.code }
            #expect(code == .cancelled)
        }
    }
}
