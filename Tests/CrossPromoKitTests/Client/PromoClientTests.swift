@testable import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// A client: one call, one answer.
@Suite(.timeLimit(.minutes(15))) struct PromoClientTests {
    private func client(_ daemon: ScriptedDaemon, host: String? = "finebill") -> PromoClient {
        PromoClient(host: host, socketPath: daemon.path, timeout: .seconds(600))
    }

    @Test func withoutAHostItListsAllInOneRequest() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        #expect(try await client(daemon, host: nil).apps().map(\.id) == ["bookary", "stedio"])
        #expect(daemon.requests.map(\.names) == [["language"]])
    }

    @Test func aListThatCouldNotBeFetchedIsThrown() async throws {
        let list = Replies.list([], state: "empty", source: "none", error: "dns")
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(list) })
        let error = await #expect(throws: PromoError.self) { try await client(daemon).apps() }
        #expect(error == PromoError(.refreshFailed, reason: "dns", message: "No: dns."))
    }

    @Test func aLaunchNeedsAHost() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let error = await #expect(throws: PromoError.self) { try await client(daemon, host: nil).launch() }
        #expect(error?.code == .invalidAppID)
        #expect(daemon.requests.isEmpty)
    }

    // MARK: Events

    @Test func eventsComeInTheirOrderAndWhatWasMissedIsCounted() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var events = client(daemon).events().makeAsyncIterator()
        #expect(await events.next() == .connected(missed: 0))
        daemon.push(Replies.event(1, #""event":"tap","app":"bookary","host":"finebill","catalog":"acme""#))
        daemon.push(Replies.event(2, #""event":"impression","app":"stedio","host":null,"catalog":"acme""#))
        daemon.push(Replies.event(3, #""event":"icons","stored":2,"catalog":"acme""#))
        #expect(await events.next() == .tap(appID: "bookary", host: "finebill"))
        #expect(await events.next() == .impression(appID: "stedio", host: nil))
        #expect(await events.next() == .icons(catalog: "acme"))
        // Of those after the third, the fourth and fifth are kept no more.
        daemon.answer(Replies.daemon("subscribe") { _ in .result(Replies.subscribed(since: 5)) })
        daemon.hangUp()
        guard case .disconnected(let error) = await events.next() else { throw TestFailure("no end") }
        #expect(error.code == .connectionLost)
        #expect(await events.next() == .connected(missed: 2))
        #expect(daemon.requests("subscribe").last?.integer("since") == 3)
    }

    @Test func aReaderThatWasTooSlowIsToldBeforeTheNextEvent() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var slow = client(daemon).events([.tap]).makeAsyncIterator()
        #expect(await slow.next() == .connected(missed: 0))
        var other = client(daemon).events([.tap]).makeAsyncIterator()
        _ = await other.next()
        let surplus = 6
        let apps = (1...PromoClient.Events.capacity + surplus).map { "app\($0)" } + ["last"]
        for (number, app) in apps.enumerated() {
            daemon.push(Replies.event(number + 1, #""event":"tap","app":"\#(app)","host":null,"catalog":"acme""#))
        }
        // What comes to one subscriber last has come to the other, too, but perhaps for the last one.
        while let event = await other.next(), event != .tap(appID: "last", host: nil) {}
        guard case .connected(let missed?) = await slow.next() else { throw TestFailure("nothing was told") }
        #expect(surplus...(surplus + 1) ~= missed)
        #expect(await slow.next() == .tap(appID: "app\(missed + 1)", host: nil))
    }

    @Test func eachKindOfEventIsKnown() {
        #expect(Set(PromoClient.Event.Kind.allCases.map(\.rawValue)) == Set(EventKind.allCases.map(\.rawValue)))
    }

    @Test func noKindsAreNoEventsAndNoAppsNoImpression() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        try await client(daemon).impression([])
        for await _ in client(daemon).events([]) {}
        #expect(daemon.requests.isEmpty)
    }

    /// A number from nowhere, and another run of promod.
    @Test(
        arguments: [(Replies.subscribed(since: .max), .max), (Replies.subscribed(epoch: "two"), nil)]
            as [(String, Int?)])
    func whatWasMissedIsUnknownAfterARestartAndAlwaysANumber(again: String, missed: Int?) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("subscribe") { _ in .result(Replies.subscribed(since: .min)) })
        var events = client(daemon).events([.catalog]).makeAsyncIterator()
        #expect(await events.next() == .connected(missed: 0))
        daemon.answer(Replies.daemon("subscribe") { _ in .result(again) })
        daemon.hangUp()
        _ = await events.next()
        #expect(await events.next() == .connected(missed: missed))
    }

    @Test func clientsShareTheConnectionForEvents() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        var changes = client(daemon).events([.catalog]).makeAsyncIterator()
        #expect(await changes.next() == .connected(missed: 0))
        var taps = client(daemon).events([.tap]).makeAsyncIterator()
        #expect(await taps.next() == .connected(missed: 0))
        daemon.push(Replies.catalogEvent(1))
        #expect(await changes.next() == .catalog(name: "default"))
        #expect(daemon.requests("subscribe").map(\.names) == [[]])
        await daemon.hasConnections(1)
    }
}
