import CrossPromoKit
import Foundation
import PromoTestSupport
import Synchronization
import Testing

/// A client: one call, one answer.
@Suite(.timeLimit(.minutes(15))) struct PromoClientTests {
    private func client(_ daemon: ScriptedDaemon, host: String? = "finebill") -> PromoClient {
        PromoClient(host: host, socketPath: daemon.path, timeout: .seconds(600))
    }

    @Test func itHasTheAppsInOneRequest() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        #expect(try await client(daemon).apps().map(\.id) == ["bookary", "stedio"])
        #expect(daemon.requests.map(\.method) == ["list"])
    }

    @Test func withoutAHostItListsAll() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        _ = try await client(daemon, host: nil).apps()
        #expect(daemon.requests.first?.names == ["language"])
    }

    @Test func aListThatCouldNotBeFetchedIsThrown() async throws {
        let list =
            Replies.list([], state: "empty", source: "none").dropLast()
            + #","error":{"code":"dns","message":"No address."}}"#
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(String(list)) })
        let error = await #expect(throws: PromoError.self) { try await client(daemon).apps() }
        #expect(error == PromoError(.refreshFailed, reason: "dns", message: "No address."))
    }

    @Test func aRefreshThatFailedIsThrown() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("refresh") { _ in .result(Replies.refresh("failed", error: "Too old.")) })
        let error = await #expect(throws: PromoError.self) { try await client(daemon).refresh() }
        #expect(error?.code == .refreshFailed && error?.reason == "tls")
    }

    @Test func aReviewIsDecidedWithReasons() async throws {
        let refused = """
            {"app":"finebill","eligible":false,"reasons":["too-few-completions"],"completionsNeeded":2,"advice":"Two more.",\
            "eligibleAt":null,"reviewURL":null}
            """
        let daemon = try ScriptedDaemon(Replies.daemon("review-eligible") { _ in .result(refused) })
        let decision = try await client(daemon).reviewEligibility(completed: 1)
        #expect(!decision.isGranted && decision.reasons == ["too-few-completions"] && decision.page == nil)
    }

    @Test func aLaunchNeedsAHost() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let error = await #expect(throws: PromoError.self) { try await client(daemon, host: nil).launch() }
        #expect(error?.code == .invalidAppID && daemon.requests.isEmpty)
    }

    // MARK: Events

    @Test func eventsComeInTheirOrderAndWhatWasMissedIsCounted() async throws {
        let subscriptions = Counter()
        let daemon = try ScriptedDaemon(
            Replies.daemon("subscribe") { _ in
                // Of those after the third, the fourth and fifth are kept no more.
                .result(Replies.subscribed(since: subscriptions.next() == 1 ? 0 : 5))
            })
        var events = client(daemon).events().makeAsyncIterator()
        #expect(await events.next() == .connected(missed: 0))
        daemon.push(Replies.event(1, #""event":"tap","app":"bookary","host":"finebill","catalog":"acme""#))
        daemon.push(Replies.event(2, #""event":"impression","app":"stedio","host":null,"catalog":"acme""#))
        daemon.push(Replies.event(3, #""event":"icons","stored":2,"catalog":"acme""#))
        #expect(await events.next() == .tap(appID: "bookary", host: "finebill"))
        #expect(await events.next() == .impression(appID: "stedio", host: nil))
        #expect(await events.next() == .icons(catalog: "acme"))
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
        let apps = (1...1030).map { "app\($0)" } + ["last"]
        for (number, app) in apps.enumerated() {
            daemon.push(Replies.event(number + 1, #""event":"tap","app":"\#(app)","host":null,"catalog":"acme""#))
        }
        // What comes to one subscriber last has come to the other, too, but perhaps for the last one.
        while let event = await other.next(), event != .tap(appID: "last", host: nil) {}
        guard case .connected(let missed?) = await slow.next() else { throw TestFailure("nothing was told") }
        #expect((6...7).contains(missed))
        #expect(await slow.next() == .tap(appID: "app\(missed + 1)", host: nil))
    }

    @Test func noKindsAreNoEventsAndNoAppsNoImpression() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        try await client(daemon).impression([])
        for await _ in client(daemon).events([]) {}
        #expect(daemon.requests.isEmpty)
    }

    @Test func aNumberFromNowhereCrashesNobody() async throws {
        let subscriptions = Counter()
        let daemon = try ScriptedDaemon(
            Replies.daemon("subscribe") { _ in
                .result(Replies.subscribed(since: subscriptions.next() == 1 ? .min : .max))
            })
        var events = client(daemon).events().makeAsyncIterator()
        #expect(await events.next() == .connected(missed: 0))
        daemon.push(Replies.event(.min, #""event":"icons","stored":2,"catalog":"acme""#))
        _ = await events.next()
        daemon.hangUp()
        _ = await events.next()
        #expect(await events.next() == .connected(missed: .max))
    }

    @Test func anotherRunOfPromodHasMissedAnUnknownNumber() async throws {
        let subscriptions = Counter()
        let daemon = try ScriptedDaemon(
            Replies.daemon("subscribe") { _ in .result(Replies.subscribed(epoch: "\(subscriptions.next())")) })
        var events = client(daemon).events([.catalog]).makeAsyncIterator()
        #expect(await events.next() == .connected(missed: 0))
        daemon.hangUp()
        _ = await events.next()
        #expect(await events.next() == .connected(missed: nil))
    }

    @Test func clientsAndServicesShareTheConnectionForEvents() async throws {
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

/// Counts calls.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
