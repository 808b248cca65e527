import Foundation
import PromoTestSupport

/// A running `promoctl events`, and its output.
final class EventsUnderTest {
    let process: ChildProcess
    let output: LinePipe
    let errors: LinePipe

    /// Starts it, and returns when it has subscribed.
    /// - Parameter reader: a program that reads its output through a pipe.
    init(_ daemon: DaemonUnderTest, _ arguments: String..., through reader: [String] = []) throws {
        output = try LinePipe()
        errors = try LinePipe()
        let before = try daemon.status("socket", "subscribers")
        let command = [PromoctlUnderTest.binary, "events"] + arguments
        let pipeline = "'\(command.joined(separator: "' '"))' | \(reader.joined(separator: " "))"
        process = try ChildProcess(
            reader.isEmpty ? command : ["/bin/sh", "-c", pipeline], environment: PromoctlUnderTest(daemon).environment,
            descriptors: [(output.writingEnd, 1), (errors.writingEnd, 2)])
        output.closeWritingEnd()
        errors.closeWritingEnd()
        let isSubscribed = try comes { try daemon.status("socket", "subscribers") > before }
        guard isSubscribed else { throw TestFailure("it does not subscribe: \(process.wait(milliseconds: 0) as Any)") }
    }

    /// The next event that `--json` printed.
    func next() throws -> (seq: Int, app: String) {
        let line = try output.next()
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        return (event["seq"] as? Int ?? -1, event["app"] as? String ?? "")
    }

    /// Interrupts it, as a person does.
    func stop() {
        process.signal(SIGINT)
        process.wait()
    }
}
