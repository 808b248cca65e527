import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Many clients with many requests each, none of which waits for all of another's.
struct FairTurnsTests {
    @Test(arguments: ["list", "status", "tap"])
    func aRequestIsAnsweredWhileOthersHaveAThousandLinesPending(method: String) throws {
        let turned = try TurnedServer()
        let floods = try (0..<8).map { _ in try turned.connect() }
        let one = try turned.connect()
        for flood in floods {
            flood.send(Ask.many(1000) { Ask.call($0, method, method == "tap" ? #"{"app":"finebill"}"# : "{}") })
        }
        for line in [Ask.list(1), Ask.plain(2), Ask.tap(3)] {
            let before = floods.map(\.count)
            one.send(line)
            let count = one.count + 1
            #expect(
                turned.turn {
                    for flood in floods { flood.read() }
                    one.read()
                    return one.count == count
                })
            for (flood, before) in zip(floods, before) { #expect(flood.count - before <= 200) }
        }
        #expect(one.marks == ["reply 1", "reply 2", "reply 3"])
    }

    @Test func eachOfManyHasItsTurnBeforeAnyHasSeveral() throws {
        let turned = try TurnedServer()
        let peers = try (0..<30).map { _ in try turned.connect() }
        for peer in peers { peer.send(Ask.many(150, Ask.plain)) }
        // For how many turns of the loop each has got nothing, and the most lines that one got in one of them.
        var waits = [Int](repeating: 0, count: peers.count)
        var (longest, most) = (0, 0)
        #expect(
            turned.turn {
                for (index, peer) in peers.enumerated() {
                    let before = peer.count
                    peer.read()
                    most = max(most, peer.count - before)
                    waits[index] = peer.count > before || peer.count == 150 ? 0 : waits[index] + 1
                    longest = max(longest, waits[index])
                }
                return peers.allSatisfy { $0.count == 150 }
            })
        // Before the first turn, and in it if there was no time left.
        #expect(longest <= 3, "turns without a reply")
        #expect(most <= 100, "replies in one turn")
        for peer in peers { #expect(peer.marks == (1...150).map { "reply \($0)" }) }
    }

    @Test func thoseThatWaitForTheTurnOfSubscribersGoOnOneAfterAnother() throws {
        let turned = try TurnedServer()
        let (subscriber, one) = (try turned.connect(), try turned.connect())
        subscriber.send(Ask.subscribe(1))
        #expect(turned.turn(until: subscriber, has: 1))
        let floods = try (0..<3).map { _ in try turned.connect() }
        // So many events that requests which cause more have to wait.
        turned.server.events.emit(Array(repeating: .tap(app: "bookary", host: nil), count: 300), at: turned.stage.now)
        #expect(turned.server.events.isFull)
        let apps = [String](repeating: #""finebill""#, count: 100).joined(separator: ",")
        for flood in floods { flood.send(Ask.many(30) { Ask.call($0, "impression", "{\"apps\":[\(apps)]}") }) }
        turned.turn()
        // In a turn each may go on with one request, and all together until they are full again.
        #expect(turned.server.events.log.seq <= 300 + 3 * 100 + 300 + 3 * 100)
        one.send(Ask.tap(1))
        #expect(
            turned.turn {
                for peer in floods + [one, subscriber] { peer.read() }
                return one.count == 1
            })
        // No flood is through, so its tap has not waited for all of theirs.
        #expect(floods.allSatisfy { $0.count < 30 })
        #expect(turned.turn(until: subscriber, has: 9302))
        #expect(subscriber.marks == ["reply 1"] + (1...9301).map { "event \($0)" })
        for flood in floods {
            #expect(turned.turn(until: flood, has: 30))
            #expect(flood.marks == (1...30).map { "reply \($0)" })
        }
    }
}
