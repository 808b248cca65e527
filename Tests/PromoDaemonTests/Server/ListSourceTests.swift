import Dispatch
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Lists that wait for a job, which makes what they are made from.
struct ListSourceTests {
    private static func korean(_ id: Int) -> String { Ask.call(id, "list", #"{"language":"ko"}"#) }

    /// A server with the catalog of an origin, which has one app.
    private func serving(_ name: String) throws -> TurnedServer {
        let stage = try Stage()
        publish(name, stage)
        return try TurnedServer(stage)
    }

    private func publish(_ name: String, _ stage: Stage) {
        let text = """
            {"apps":[{"id":"one","name":"\(name)","appStoreID":"1","iconURL":"https://a.example/i.png","category":"c",
            "tagline":{"en":"t","ko":"글"}}]}
            """
        stage.origin.answer(.body(Array(text.utf8), Validators()))
        stage.settle()
        stage.advance(.seconds(60))
    }

    @Test func theFirstListOfALanguageWaitsWhileOthersAreAnsweredAndTheNextDoesNot() throws {
        let turned = try serving("One")
        let queue = turned.stage.keeper.lists.queue
        let peers = try (0..<3).map { _ in try turned.connect() }
        queue.suspend()
        for peer in peers[..<2] { peer.send(Self.korean(1) + Ask.plain(2)) }
        peers[2].send(Ask.list(1))
        #expect(turned.turn(until: peers[2], has: 1))
        peers[0].read()
        #expect(peers[0].bytes.isEmpty)
        queue.resume()
        for peer in peers[..<2] {
            #expect(turned.turn(until: peer, has: 2))
            #expect(peer.marks == ["reply 1", "reply 2"])
            #expect(peer.text.contains("글"))
        }
        queue.suspend()
        defer { queue.resume() }
        peers[2].send(Self.korean(2))
        #expect(turned.turn(until: peers[2], has: 2))
    }

    @Test func aListThatWaitsIsAnsweredFromTheCatalogThatItFound() throws {
        let turned = try serving("One")
        let peer = try turned.connect()
        peer.send(Self.korean(1))
        turned.turn()
        let refresh = turned.stage.ask(.refresh(RefreshParameters()))
        publish("Two", turned.stage)
        #expect(refresh.result?.outcome == .updated)
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.text.contains(#""name":"One""#))
    }

    @Test func aNewCatalogComesWithItsListsInTheLanguagesThatWereRequested() throws {
        let turned = try serving("One")
        let peer = try turned.connect()
        peer.send(Self.korean(1))
        #expect(turned.turn(until: peer, has: 1))
        _ = turned.stage.ask(.refresh(RefreshParameters()))
        publish("Two", turned.stage)
        let queue = turned.stage.keeper.lists.queue
        queue.suspend()
        defer { queue.resume() }
        peer.send(Self.korean(2))
        #expect(turned.turn(until: peer, has: 2))
        #expect(peer.lines[1].contains(#""name":"Two""#))
    }

    @Test func aReplyIsNotMadeInALateRoundButAKeptOneIsSent() throws {
        let turned = try TurnedServer()
        let (line, loop) = (Array(Ask.list(1).utf8), turned.stage.keeper.loop)
        for (roundTime, length) in [(0, 0), (loop.roundTime, line.count), (0, line.count)] {
            loop.roundTime = roundTime
            turned.turn()
            var output = OutputQueue()
            #expect(turned.server.answerAtOnce(line.span, output: &output) == length)
        }
    }
}
