import CrossPromoKit
import Glibc
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// A connection for more than one request.
@Suite(.timeLimit(.minutes(15))) struct DaemonConnectionTests {
    private let deadline = Deadline.after(.seconds(20))

    @Test func requestsOfAnyLengthAreAnsweredOneAfterAnother() throws {
        let daemon = try ScriptedDaemon { .result("\($0.line.utf8.count)") }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        for count in [3, 1_000_000] {
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: count) + [UInt8(ascii: "\n")]
            #expect(try connection.ask(line: line, deadline: deadline).integer == count)
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

    @Test func everyReadOfAConnectionThatEndedOrWasInterruptedFails() throws {
        let daemon = try ScriptedDaemon { _ in .end }
        var connection = try DaemonClient(socketPath: daemon.path).connect()
        let interruption = Interruption()
        var interrupted = try DaemonClient(socketPath: daemon.path).connect(interruption: interruption)
        interruption.fire()
        for _ in 0..<2 {
            try connection.send(Array("{}\n".utf8), deadline: deadline)
            var codes: [PromoError.Code] = []
            do throws(PromoError) { _ = try connection.receive(deadline: deadline) } catch { codes.append(error.code) }
            do throws(PromoError) { _ = try interrupted.receive(deadline: deadline) } catch { codes.append(error.code) }
            #expect(codes == [.connectionLost, .cancelled])
        }
    }
}
