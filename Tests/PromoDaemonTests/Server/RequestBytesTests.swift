import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Requests that arrive in pieces, and what is none.
struct RequestBytesTests {
    /// What the reply to each of the requests begins with.
    private static let reply = #"{"jsonrpc":"2.0","id":7,"result":"#

    @Test(arguments: [Ask.list(7), Ask.plain(7), Ask.subscribe(7)])
    func aRequestInTwoPiecesIsAnsweredLikeAWholeOneWhereverItIsCut(request: String) throws {
        let turned = try TurnedServer()
        for cut in 1..<request.utf8.count {
            let peer = try turned.connect()
            #expect(peer.offer(request.utf8.prefix(cut)) == cut)
            turned.turn()
            #expect(peer.offer(request.utf8.dropFirst(cut)) == request.utf8.count - cut)
            turned.turn()
            peer.read()
            #expect(peer.lines.map { $0.hasPrefix(Self.reply) } == [true], "cut at \(cut): \(peer.text)")
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
        #expect(peer.lines.map { $0.hasPrefix(Self.reply) } == [false], "\(peer.text)")
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
        #expect(peer.isEnded)
        #expect(peer.bytes.isEmpty)
        #expect(turned.counters.connections == 0)
    }
}
