import Dispatch
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Replies that wait for the keeper: for a fetch, for a picture.
@Suite(.timeLimit(.minutes(5))) struct WaitingRepliesTests {
    /// What a reply waits for.
    enum Wait: CaseIterable {
        case refresh, firstFetch, icon
    }

    private static let catalog = Array(
        #"{"apps":[{"id":"one","name":"One","appStoreID":"1","iconURL":"https://a.example/i.png","category":"c","tagline":{"en":"t"}}]}"#
            .utf8)

    /// A server and the line whose reply waits.
    private func stage(_ wait: Wait, timeout: Duration = Configuration().timeout) throws -> (TurnedServer, String) {
        let stage = try Stage(connections: 2, timeout: timeout)
        let turned = try TurnedServer(stage)
        if wait != .firstFetch {
            stage.origin.answer(.body(Self.catalog, Validators()))
            stage.settle()
            stage.advance(.seconds(60))
        }
        switch wait {
        case .refresh: return (turned, Ask.call(1, "refresh"))
        case .firstFetch: return (turned, Ask.call(1, "list", #"{"wait":true}"#))
        case .icon: return (turned, Ask.call(1, "icon", #"{"app":"one","wait":true}"#))
        }
    }

    @Test func untilEverythingIsReadAListWaitsAndTheStatusSaysForWhat() throws {
        let turned = try TurnedServer(Stage(url: "sample", starts: false))
        let (lister, asker) = (try turned.connect(), try turned.connect())
        lister.send(Ask.list(1))
        asker.send(Ask.call(2, "status"))
        #expect(turned.turn(until: asker, has: 1))
        #expect(asker.text.contains("still being read from the disk"))
        lister.read()
        #expect(lister.bytes.isEmpty)
        turned.stage.onLoop { $0.start() }
        #expect(turned.turn(until: lister, has: 1))
        #expect(lister.text.contains(#""source":"sample""#))
    }

    @Test func aStopWhileEverythingIsReadLosesNoRequest() throws {
        let turned = try TurnedServer(Stage(url: "sample", starts: false))
        let peer = try turned.connect()
        peer.send(Ask.list(1))
        turned.turn()
        turned.stage.keeper.start()
        turned.stage.keeper.stopServing()
        turned.stage.settle()
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.text.contains(#""source":"sample""#))
        #expect(turned.turn(untilEndOf: peer))
    }

    @Test func aListThatWaitsTooLongForTheDiskIsToldThatPromodIsBusy() throws {
        let turned = try TurnedServer(Stage(url: "sample", starts: false))
        let peer = try turned.connect()
        peer.send(Ask.list(1))
        turned.turn()
        turned.stage.fireTimers()
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.text.contains(#""reason":"busy""#))
    }

    /// Makes what the reply waits for happen.
    private func finish(_ wait: Wait, _ turned: TurnedServer) {
        switch wait {
        case .refresh, .firstFetch: turned.stage.origin.answer(.body(Self.catalog, Validators()))
        case .icon: turned.stage.origin.answer(.body(Pictures.png, Validators()))
        }
        turned.stage.settle()
    }

    @Test(arguments: Wait.allCases)
    func whatFollowsIsAnsweredAfterTheReplyThatWaitsAndOthersMeanwhile(wait: Wait) throws {
        let (turned, line) = try stage(wait)
        let (peer, other) = (try turned.connect(), try turned.connect())
        peer.send(line + Ask.list(2) + Ask.list(3))
        turned.turn()
        turned.stage.settle()
        other.send(Ask.list(1))
        #expect(turned.turn(until: other, has: 1))
        peer.read()
        #expect(peer.bytes.isEmpty)
        finish(wait, turned)
        #expect(turned.turn(until: peer, has: 3))
        #expect(peer.marks == ["reply 1", "reply 2", "reply 3"])
        #expect(!peer.text.contains(#""error":{"#), "\(peer.text)")
    }

    @Test(arguments: Wait.allCases)
    func aPeerThatHangsUpWhileItsReplyWaitsGivesItsPlaceBackInThatTurn(wait: Wait) throws {
        let (turned, line) = try stage(wait)
        let peers = try [turned.connect(), turned.connect()]
        peers[0].send(line)
        turned.turn()
        turned.stage.settle()
        #expect(turned.counters.connections == 2)
        peers[0].hangUp()
        turned.turn()
        #expect(turned.counters.connections == 1)
        let next = try turned.connect()
        next.send(Ask.list(1))
        turned.turn()
        next.read()
        #expect(next.marks == ["reply 1"])
        // The reply reaches nobody, least of all who has the place now.
        finish(wait, turned)
        next.send(line.replacing(#""id":1"#, with: #""id":2"#))
        #expect(turned.turn(until: next, has: 2))
        turned.turn(20)
        next.read()
        #expect(next.marks == ["reply 1", "reply 2"])
    }

    @Test(arguments: Wait.allCases)
    func aPeerThatEndsItsInputStillGetsItsReplyAndThoseThatFollow(wait: Wait) throws {
        let (turned, line) = try stage(wait)
        let peer = try turned.connect()
        peer.send(line + Ask.list(2))
        turned.turn()
        peer.endInput()
        turned.turn()
        turned.stage.settle()
        #expect(turned.counters.connections == 1)
        finish(wait, turned)
        #expect(turned.turn(untilEndOf: peer))
        #expect(peer.marks == ["reply 1", "reply 2"])
        #expect(turned.counters.connections == 0)
    }

    @Test func aReplyThatWaitsHoldsBackNoEvents() throws {
        let (turned, line) = try stage(.refresh)
        let peer = try turned.connect()
        peer.send(Ask.subscribe(9, #"{"events":["tap"]}"#) + line)
        turned.turn(2)
        turned.stage.settle()
        turned.server.events.emit([.tap(app: "one", host: nil)], at: turned.stage.now)
        #expect(turned.turn(until: peer, has: 2))
        finish(.refresh, turned)
        #expect(turned.turn(until: peer, has: 3))
        #expect(peer.marks == ["reply 9", "event 2", "reply 1"])
    }

    /// What a request waits longer than a fetch is taken off, so that its time is up at once.
    @Test(arguments: Wait.allCases)
    func aRequestWhoseTimeIsUpIsAnsweredOnceWithWhatThereIs(wait: Wait) throws {
        let (turned, line) = try stage(wait, timeout: .milliseconds(-QueryServer.fetchGrace))
        let peer = try turned.connect()
        peer.send(line + Ask.list(2))
        #expect(turned.turn(until: peer, has: 2))
        let expected =
            switch wait {
            case .refresh: #""outcome":"started""#
            case .firstFetch: #""state":"loading""#
            case .icon: #""data":null"#
            }
        #expect(peer.text.contains(expected), "\(peer.text)")
        turned.stage.settle()
        finish(wait, turned)
        turned.turn(20)
        peer.read()
        #expect(peer.marks == ["reply 1", "reply 2"])
    }

    @Test func aListThatWaitedForACatalogThatIsGoneIsAnError() throws {
        let stage = try Stage()
        stage.drop(in: ["acme": "https://acme.example/c.json"])
        stage.readDropIns()
        let turned = try TurnedServer(stage)
        let peer = try turned.connect()
        peer.send(Ask.call(1, "list", #"{"wait":true,"catalog":"acme"}"#))
        turned.turn()
        stage.settle()
        peer.read()
        #expect(peer.bytes.isEmpty)
        stage.drop(in: [:])
        stage.readDropIns()
        #expect(turned.turn(until: peer, has: 1))
        #expect(peer.text.contains(#""error":{"#), "\(peer.text)")
        #expect(peer.text.contains("acme"), "\(peer.text)")
    }

    @Test func aStatusDoesNotWaitForADiskThatDoesNotAnswer() throws {
        let turned = try TurnedServer()
        let disk = turned.stage.keeper.disk
        disk.suspend()
        let peer = try turned.connect()
        peer.send(Ask.call(1, "status") + Ask.plain(2))
        #expect(turned.turn(until: peer, has: 2))
        // The look that comes too late answers nobody.
        disk.resume()
        turned.stage.settle()
        turned.turn(20)
        peer.read()
        #expect(peer.marks == ["reply 1", "reply 2"])
    }
}
