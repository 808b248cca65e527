import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Peers that send, read and go away at random.
struct RandomPeersTests {
    private struct Script {
        let peer: Peer
        /// What is to be sent, and what of it the kernel has not taken yet.
        var rest: ArraySlice<UInt8>
        /// The replies to that.
        let replies: [String]
        let isSubscriber: Bool
        var hasEndedInput = false
        var hasHungUp = false
    }

    private func script(_ peer: Peer, _ generator: inout SeededGenerator) -> Script {
        var text = ""
        var replies: [String] = []
        var id = 0
        let isSubscriber = Int.random(in: 0..<4, using: &generator) == 0
        func next(_ line: (Int) -> String) {
            id += 1
            text += line(id)
            replies.append("reply \(id)")
        }
        if isSubscriber { next { Ask.subscribe($0) } }
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: next(Ask.plain)
            case 1: next(Ask.tap)
            case 2: next { Ask.call($0, "nothing") }
            case 3:
                // It waits for the keeper.
                next { Ask.call($0, "reload") }
            default: next(Ask.list)
            }
        }
        return Script(peer: peer, rest: Array(text.utf8)[...], replies: replies, isSubscriber: isSubscriber)
    }

    private func step(_ script: inout Script, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0 where script.rest.isEmpty: script.hasEndedInput = true
        case 1:
            script.hasHungUp = true
            script.peer.hangUp()
        case 2..<20:
            let piece = script.rest.prefix(Int.random(in: 1...400, using: &generator))
            script.rest = script.rest.dropFirst(script.peer.offer(piece))
        case 20..<38: script.peer.read(Int.random(in: 1...5000, using: &generator))
        default: break
        }
        if script.hasEndedInput { script.peer.endInput() }
    }

    @Test(arguments: 1...12)
    func whateverPeersDoEachThatStaysGetsItsRepliesInOrderAndEachThatGoesIsForgotten(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let turned = try TurnedServer()
        var scripts = try (0..<20).map { number in
            script(try turned.connect(buffer: number.isMultiple(of: 2) ? Peer.smallest : nil), &generator)
        }
        for _ in 0..<2000 {
            let index = Int.random(in: 0..<scripts.count, using: &generator)
            if !scripts[index].hasHungUp { step(&scripts[index], &generator) }
            if Int.random(in: 0..<3, using: &generator) == 0 { turned.turn() }
        }
        // Those that stay send the rest, end their input, and read everything.
        let isDone = turned.turn {
            for index in scripts.indices where !scripts[index].hasHungUp {
                let peer = scripts[index].peer
                scripts[index].rest = scripts[index].rest.dropFirst(peer.offer(scripts[index].rest.prefix(1000)))
                if scripts[index].rest.isEmpty { peer.endInput() }
                peer.read(3000)
            }
            return scripts.allSatisfy { $0.hasHungUp || $0.peer.isEnded } && turned.counters.connections == 0
        }
        #expect(isDone)
        #expect(turned.server.events.subscribers == 0)
        for script in scripts where !script.hasHungUp {
            let marks = script.peer.marks
            #expect(marks.filter { !$0.hasPrefix("event") } == script.replies)
            let events = marks.filter { $0.hasPrefix("event") }.compactMap { Int($0.dropFirst("event ".count)) }
            #expect(script.isSubscriber || events.isEmpty)
            if let first = events.first { #expect(events == Array(first..<first + events.count)) }
            #expect(script.peer.isAtEndOfLine)
        }
    }

    @Test func nothingKeepsAServerWhoseClientsHaveEnded() throws {
        weak var server: QueryServer?
        weak var loop: PollLoop?
        do {
            let turned = try TurnedServer()
            (server, loop) = (turned.server, turned.server.loop)
            let peers = try (0..<4).map { _ in try turned.connect() }
            for peer in peers { peer.send(Ask.subscribe(1) + Ask.many(100, Ask.tap) + Ask.plain(1)) }
            turned.turn(3)
            peers[0].hangUp()
            turned.server.stop()
            #expect(
                turned.turn {
                    for peer in peers[1...] { peer.read() }
                    return turned.counters.connections == 0
                })
        }
        #expect(server == nil)
        #expect(loop == nil)
    }
}
