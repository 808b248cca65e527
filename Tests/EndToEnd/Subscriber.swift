import Foundation
import Glibc
import PromoTestSupport

/// A connection that has subscribed, and is read line by line.
final class Subscriber {
    private let socket: UnixSocket
    /// The reply to the subscription: the number of the latest event, and the run in which it is that.
    private(set) var subscription = (seq: 0, epoch: "")
    private var bytes: [UInt8] = []
    private var start = 0

    /// Connects and subscribes, with parameters such as `"events":["tap"]`.
    init(_ daemon: DaemonUnderTest, _ parameters: String = "") throws {
        socket = try daemon.connect()
        socket.send("{\"method\":\"subscribe\",\"params\":{\(parameters)}}\n")
        let reply = try next()
        guard let seq = reply.result["since"] as? Int, let epoch = reply.result["epoch"] as? String else {
            throw TestFailure("the subscription is refused: \(reply)")
        }
        subscription = (seq, epoch)
    }

    /// The next line; nil at the end.
    func line() -> String? {
        while true {
            if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return String(decoding: bytes[start..<end], as: UTF8.self)
            }
            bytes.removeFirst(start)
            start = 0
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    /// The next line; throws if there is none.
    func next() throws -> Reply {
        guard let line = line() else { throw TestFailure("the connection ended, or nothing came for ten seconds") }
        return try Reply(line)
    }

    /// The next lines.
    func next(_ count: Int) throws -> [Reply] {
        try (0..<count).map { _ in try next() }
    }
}

extension Reply {
    /// The parameters of an event; empty for a reply.
    var event: [String: Any] {
        object["method"] as? String == "event" ? object["params"] as? [String: Any] ?? [:] : [:]
    }
    var seq: Int { event["seq"] as? Int ?? -1 }
    var kind: String? { event["event"] as? String }
}
