import Glibc
@testable import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Replies that the kernel takes in parts, or not at all, because their peer does not read them.
struct UnreadRepliesTests {
    private static let conversations: [(count: Int, line: @Sendable (Int) -> String, piece: Int)] = [
        (5, Ask.list, 1), (60, Ask.list, 100), (60, Ask.list, 100_000), (30, { Ask.call($0, "rpc.discover") }, 100_000),
    ]

    @Test(arguments: conversations.indices)
    func repliesThatAreSentInPartsComeWholeAndInOrder(index: Int) throws {
        let (count, line, piece) = Self.conversations[index]
        let turned = try TurnedServer()
        let (whole, slow) = (try turned.connect(), try turned.connect(buffer: Peer.smallest))
        let lines = Ask.many(count, line)
        whole.send(lines)
        #expect(turned.turn(until: whole, has: count))
        var rest = Array(lines.utf8)[...]
        #expect(
            turned.turn {
                rest = rest.dropFirst(slow.offer(rest))
                slow.read(piece)
                return slow.count >= count
            })
        #expect(slow.bytes == whole.bytes)
        #expect(slow.marks == (1...count).map { "reply \($0)" })
        #expect(rest.isEmpty)
    }

    @Test(arguments: [Ask.list, Ask.plain])
    func aPeerThatNeverReadsIsReadNoMoreAndHoldsLittleMemoryWhileOthersAreServed(line: @Sendable (Int) -> String) throws
    {
        let turned = try TurnedServer()
        let (deaf, other) = (try turned.connect(buffer: Peer.smallest), try turned.connect())
        var held: Int32 = 20_000
        setsockopt(deaf.descriptor, SOL_SOCKET, SO_SNDBUF, &held, socklen_t(MemoryLayout<Int32>.size))
        var lines: [UInt8] = []
        for id in 1...10_000 { lines += line(id).utf8 }
        var sent = 0
        var taken = -1
        while taken != 0 {
            taken = deaf.offer(lines[sent...])
            sent += taken
            // More turns than it takes to answer what was read.
            turned.turn(50)
        }
        // The rest is held by the kernel: what was read at once has not been answered yet.
        #expect(sent < lines.count / 2)
        other.send(Ask.plain(1))
        #expect(turned.turn(until: other, has: 1))
        let answered = try #require(turned.counters.requests["list"]) - 1
        let unread = deaf.unread
        #expect(unread < 10_000)
        deaf.read()
        let reply = try #require(deaf.lines.first?.utf8.count) + 1
        // All replies have about the same size: only numbers grow.
        #expect(answered * reply <= Connection.sendThreshold + unread + 2 * reply, "\(answered) of \(reply) bytes")
        let read = lines.prefix(sent).count { $0 == UInt8(ascii: "\n") }
        #expect(answered < read)
        // Everything that was sent is answered when the peer reads again.
        #expect(turned.turn(until: deaf, has: read))
        turned.turn(10)
        deaf.read()
        #expect(deaf.marks == (1...read).map { "reply \($0)" })
    }
}
