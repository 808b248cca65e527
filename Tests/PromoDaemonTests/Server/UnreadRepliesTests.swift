import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Replies that the kernel takes in parts, or not at all, because their peer does not read them.
struct UnreadRepliesTests {
    /// The memory for replies of one connection.
    private static let threshold = 65_536

    @Test(arguments: [1, 7, 100, 1000, 100_000])
    func repliesThatAreSentInPartsComeWholeAndInOrder(pieces: Int) throws {
        let turned = try TurnedServer()
        let (whole, slow) = (try turned.connect(), try turned.connect(buffer: Peer.smallest))
        let lines = Ask.many(pieces == 1 ? 5 : 60, Ask.list)
        let count = pieces == 1 ? 5 : 60
        whole.send(lines)
        #expect(turned.turn(until: whole, has: count))
        var rest = Array(lines.utf8)[...]
        #expect(
            turned.turn {
                rest = rest.dropFirst(slow.offer(rest))
                slow.read(pieces)
                return slow.count >= count
            })
        #expect(slow.bytes == whole.bytes)
        #expect(rest.isEmpty)
    }

    @Test func aReplyThatIsLargerThanTheSendBufferIsSentAsThePeerReads() throws {
        let turned = try TurnedServer()
        let (whole, slow) = (try turned.connect(), try turned.connect(buffer: Peer.smallest))
        for peer in [whole, slow] { peer.send(Ask.call(1, "rpc.discover")) }
        #expect(turned.turn(until: whole, has: 1))
        turned.turn(20)
        let first = slow.unread
        #expect(first > 0 && first < whole.bytes.count / 4)
        // Nothing more is sent before the peer reads.
        turned.turn(20)
        #expect(slow.unread == first)
        #expect(turned.turn(until: slow, has: 1))
        #expect(slow.bytes == whole.bytes)
    }

    @Test(arguments: [nil, Peer.smallest])
    func theReplyToABatchIsOneLineEvenIfItIsSentInManyParts(buffer: Int32?) throws {
        let turned = try TurnedServer()
        let (single, peer) = (try turned.connect(), try turned.connect(buffer: buffer))
        single.send(Ask.call(1, "rpc.discover"))
        #expect(turned.turn(until: single, has: 1))
        let calls = (1...100).map { Ask.call($0, "rpc.discover").dropLast() }
        peer.send("[" + calls.joined(separator: ",") + "]\n" + Ask.plain(101))
        #expect(turned.turn(until: peer, has: 2))
        let replies = (1...100).map {
            single.text.dropLast().replacing(#""id":1,"#, with: "\"id\":\($0),", maxReplacements: 1)
        }
        #expect(peer.lines[0] == "[" + replies.joined(separator: ",") + "]")
        #expect(peer.marks[1] == "reply 101")
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
        #expect(answered * reply <= Self.threshold + unread + 2 * reply, "\(answered) replies of \(reply) bytes")
        let read = lines.prefix(sent).count { $0 == UInt8(ascii: "\n") }
        #expect(answered < read)
        // Everything that was sent is answered when the peer reads again.
        #expect(turned.turn(until: deaf, has: read))
        turned.turn(10)
        deaf.read()
        #expect(deaf.marks == (1...read).map { "reply \($0)" })
    }

    @Test func whatWasLeftUnreadIsAnsweredAfterTheInputEndsToo() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect(buffer: Peer.smallest)
        #expect(peer.send(Ask.many(300, Ask.plain) + Ask.list(301).dropLast()))
        peer.endInput()
        turned.turn(50)
        #expect(turned.counters.connections == 1)
        #expect(
            turned.turn {
                peer.read(1000)
                return peer.isEnded
            })
        #expect(peer.marks == (1...301).map { "reply \($0)" } && peer.isAtEndOfLine)
        #expect(turned.counters.connections == 0)
    }

    // MARK: Peers that go away

    @Test func aPeerThatHangsUpWhileRepliesArePendingIsForgottenInThatTurn() throws {
        let turned = try TurnedServer(connections: 1)
        let peer = try turned.connect(buffer: Peer.smallest)
        peer.send(Ask.many(300, Ask.plain))
        turned.turn(20)
        #expect(turned.counters.connections == 1)
        peer.hangUp()
        turned.turn()
        #expect(turned.counters.connections == 0)
        let next = try turned.connect()
        next.send(Ask.plain(1))
        turned.turn()
        next.read()
        #expect(next.marks == ["reply 1"])
    }

    /// The server's write fails with EPIPE, although the peer is still there.
    @Test(arguments: [Ask.list(1), Ask.plain(1), Ask.call(1, "reload")])
    func aPeerThatWillReadNoMoreIsForgottenWithItsNextReply(line: String) throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        peer.endOutput()
        turned.turn(5)
        #expect(turned.counters.connections == 1)
        peer.send(line)
        #expect(turned.turn { turned.counters.connections == 0 })
    }

    @Test func memoryIsGivenBackOnceForAllOfACrowdThatLeaves() throws {
        let turned = try TurnedServer()
        let keeper = turned.stage.keeper
        // After the first publication.
        #expect(turned.turn { !keeper.isGivingBackDue })
        let peers = try (0..<3 * QueryServer.crowd).map { _ in try turned.connect(buffer: Peer.smallest) }
        for peer in peers { peer.send(Ask.many(10, Ask.plain)) }
        turned.turn(20)
        for peer in peers.dropFirst(2 * QueryServer.crowd + 1) { peer.hangUp() }
        turned.turn()
        #expect(!keeper.isGivingBackDue)
        for peer in peers { peer.hangUp() }
        turned.turn(2)
        #expect(turned.counters.connections == 0)
        #expect(keeper.isGivingBackDue)
        // A second later it is done.
        #expect(turned.turn { !keeper.isGivingBackDue })
    }

    /// A peer that closes its end with something unread in it resets the connection.
    @Test func aReadThatFailsBecauseOfAResetEndsTheConnection() throws {
        let turned = try TurnedServer(connections: 1)
        let peer = try turned.connect()
        peer.send(Ask.list(1))
        turned.turn()
        #expect(peer.unread > 0)
        peer.hangUp()
        turned.turn()
        #expect(turned.counters.connections == 0)
    }

    @Test func aPeerThatHangsUpWithLinesSentAndRepliesUnreadIsForgottenWithoutAnsweringThemAll() throws {
        let turned = try TurnedServer(connections: 1)
        let peer = try turned.connect()
        peer.send(Ask.plain(1))
        turned.turn()
        peer.send(Ask.many(1000, Ask.plain))
        peer.hangUp()
        #expect(turned.turn { turned.counters.connections == 0 })
        #expect(turned.counters.requests["status", default: 0] < 100)
    }

    @Test func aWriteThatFailsOfARequestAnsweredAtOnceEndsTheConnection() throws {
        let turned = try TurnedServer(connections: 1)
        let peer = try turned.connect()
        peer.send(Ask.many(3, Ask.list))
        peer.hangUp()
        turned.turn()
        #expect(turned.counters.connections == 0)
    }

    @Test func aConnectionThatCannotBeWatchedIsClosed() throws {
        let turned = try TurnedServer(connections: 1)
        let (peer, end) = try Peer.pair()
        // The loop watches the descriptor already, so the kernel refuses it.
        try turned.server.loop.add(end, for: []) { _ in }
        turned.server.admit(end)
        turned.turn()
        peer.read()
        #expect(peer.isEnded)
        #expect(turned.counters.connections == 0)
    }
}
