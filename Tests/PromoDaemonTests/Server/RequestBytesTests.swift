import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Requests that arrive in pieces, end early, or are none.
struct RequestBytesTests {
    private static let requests = [Ask.list(7), Ask.plain(7), Ask.subscribe(7)]

    /// The reply to each whole request, without the counters of a status.
    private static func isReply(_ line: String?) -> Bool {
        line?.hasPrefix(#"{"jsonrpc":"2.0","id":7,"result":"#) == true
    }

    @Test(arguments: requests)
    func aRequestInTwoPiecesIsAnsweredLikeAWholeOneWhereverItIsCut(request: String) throws {
        let turned = try TurnedServer()
        for cut in 1..<request.utf8.count {
            let peer = try turned.connect()
            #expect(peer.offer(request.utf8.prefix(cut)) == cut)
            turned.turn()
            #expect(peer.offer(request.utf8.dropFirst(cut)) == request.utf8.count - cut)
            turned.turn()
            peer.read()
            #expect(peer.count == 1 && Self.isReply(peer.lines.first), "cut at \(cut): \(peer.text)")
            peer.hangUp()
            turned.turn()
        }
    }

    @Test func whatLooksLikeARequestIsTheRestOfALineThatBeganBefore() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        #expect(peer.offer("x".utf8.prefix(1)) == 1)
        turned.turn()
        #expect(peer.send(Ask.list(7)))
        turned.turn()
        peer.read()
        #expect(peer.count == 1 && !Self.isReply(peer.lines.first), "\(peer.text)")
    }

    /// A cut request is answered with an error, since a last line needs no line feed.
    @Test(arguments: requests)
    func everyPrefixOfALineIsAnsweredOnceWhenTheInputEnds(request: String) throws {
        let turned = try TurnedServer()
        for length in 0...request.utf8.count {
            let peer = try turned.connect()
            #expect(peer.offer(request.utf8.prefix(length)) == length)
            turned.turn()
            peer.endInput()
            turned.turn(2)
            #expect(turned.counters.connections == 0)
            // A process that another test starts may hold the closed descriptor for a moment.
            #expect(turned.turn(untilEndOf: peer))
            #expect(peer.count == (length == 0 ? 0 : 1) && peer.isAtEndOfLine, "\(length) bytes: \(peer.text)")
            let isWhole = length >= request.utf8.count - 1
            #expect(Self.isReply(peer.lines.first) == isWhole, "\(length) bytes: \(peer.text)")
        }
    }

    @Test(arguments: requests)
    func aPeerThatHangsUpAfterAnyPrefixOfALineGivesItsPlaceBackInThatTurn(request: String) throws {
        let turned = try TurnedServer(connections: 1)
        for length in 0...request.utf8.count {
            let peer = try turned.connect()
            #expect(turned.counters.connections == 1)
            #expect(peer.offer(request.utf8.prefix(length)) == length)
            // In half of the cases the bytes and the hang-up arrive together.
            if length.isMultiple(of: 2) { turned.turn() }
            peer.hangUp()
            turned.turn(3)
            #expect(turned.counters.connections == 0, "\(length) bytes")
        }
        #expect(turned.server.events.subscribers == 0)
    }

    // MARK: What is not a request

    @Test func aLineOfTheGreatestLengthIsAnsweredAndOneByteMoreEndsTheConnection() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        let status = Ask.plain(1).dropLast()
        let padding = String(repeating: " ", count: Call.maximumLength - status.utf8.count)
        #expect(peer.send(status + padding + "\n"))
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.marks == ["reply 1"])
        #expect(peer.send(status + padding + " "))
        #expect(turned.turn(untilEndOf: peer))
        #expect(peer.count == 2 && peer.lines[1].contains(#""reason":"too-large""#), "\(peer.text)")
        // What is still sent is discarded, and answered no more.
        for _ in 0..<20 {
            #expect(peer.send(Ask.many(100, Ask.list)))
            turned.turn()
        }
        peer.read()
        #expect(peer.count == 2)
        #expect(turned.counters.connections == 1)
        peer.endInput()
        turned.turn(2)
        #expect(turned.counters.connections == 0)
    }

    @Test func aPeerThatSendsADescriptorIsCutOff() throws {
        let turned = try TurnedServer()
        let peer = try turned.connect()
        let (sent, other) = try Peer.pair()
        defer { close(other) }
        // A cmsghdr: its length in eight bytes, the level, the type, and the descriptor, with padding.
        var control: [Int32] = [20, 0, SOL_SOCKET, 1, sent.descriptor, 0]
        var byte = UInt8(ascii: "{")
        let count = control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &byte) { byte in
                var vector = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (vector, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    return sendmsg(peer.descriptor, &message, 0)
                }
            }
        }
        try #require(count == 1)
        turned.turn()
        peer.read()
        #expect(peer.isEnded && peer.bytes.isEmpty)
        #expect(turned.counters.connections == 0)
    }
}
