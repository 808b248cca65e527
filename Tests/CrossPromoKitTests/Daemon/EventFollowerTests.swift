import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// A thread receives events across lost connections and restarts of the daemon.
@Suite(.timeLimit(.minutes(15))) struct EventFollowerTests {
    private static func follower(
        of daemon: ScriptedDaemon, _ parameters: SubscribeParameters = SubscribeParameters(),
        start: EventFollower.Start = .now, interruption: Interruption = Interruption()
    ) -> EventFollower {
        EventFollower(
            DaemonClient(socketPath: daemon.path, timeout: .seconds(20)), parameters, start: start,
            interruption: interruption)
    }

    /// The next occurrence, in words, which has to come within half a minute.
    private static func next(_ follower: inout EventFollower) throws -> String {
        switch try follower.next(until: .after(.seconds(30))) {
        case .subscribed(let result, let isAnotherStart):
            "\(isAnotherStart ? "restarted" : "subscribed") \(result.epoch)"
        case .event(let event): "event \(event.seq)"
        case .lost(let error): "lost \(error.code)"
        case nil: "nothing"
        }
    }

    @Test func aFollowerSubscribesAndReceivesEvents() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed(seq: 3)) }
        var follower = Self.follower(of: daemon, SubscribeParameters(events: [.tap, .catalog], host: "finebill"))
        #expect(try Self.next(&follower) == "subscribed one")
        #expect(daemon.requests.map(\.names) == [["events", "host"]])
        #expect(daemon.requests.first?.strings("events") == ["tap", "catalog"])
        daemon.push(Replies.catalogEvent(4))
        daemon.push(Replies.catalogEvent(9))
        #expect(try Self.next(&follower) == "event 4")
        #expect(try Self.next(&follower) == "event 9")
    }

    @Test func unknownLinesAreSkipped() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        var follower = Self.follower(of: daemon)
        _ = try Self.next(&follower)
        for line in [
            "", "hello", "{\"result\":1}", "{\"error\":{\"message\":\"no\"}}", Replies.event(1, "\"event\":\"new\""),
        ] {
            daemon.push(line)
        }
        daemon.push(Replies.catalogEvent(2))
        #expect(try Self.next(&follower) == "event 2")
    }

    @Test func anotherConnectionContinuesAfterTheLastEvent() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed(seq: 3)) }
        var follower = Self.follower(of: daemon)
        _ = try Self.next(&follower)
        daemon.push(Replies.catalogEvent(7))
        _ = try Self.next(&follower)
        daemon.hangUp()
        #expect(try Self.next(&follower) == "lost connectionLost")
        #expect(try Self.next(&follower) == "subscribed one")
        let request = try #require(daemon.requests.last)
        #expect(request.integer("since") == 7)
        #expect(request.string("epoch") == "one")
    }

    @Test(arguments: ["\"event\":\"lagged\",\"missed\":5", "\"event\":\"a-later-kind\""])
    func anUnknownEventStillAdvancesThePosition(event: String) throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed(seq: 3)) }
        var follower = Self.follower(of: daemon)
        _ = try Self.next(&follower)
        daemon.push(Replies.event(12, event))
        daemon.hangUp()
        #expect(try Self.next(&follower) == "lost connectionLost")
        _ = try Self.next(&follower)
        #expect(daemon.requests.last?.integer("since") == 12)
    }

    @Test func aRestartedDaemonIsRecognised() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed(epoch: "one", seq: 900)) }
        var follower = Self.follower(of: daemon)
        _ = try Self.next(&follower)
        daemon.answer { _ in .result(Replies.subscribed(epoch: "two", seq: 2, replayed: 2)) }
        daemon.stop()
        #expect(try Self.next(&follower) == "lost connectionLost")
        #expect(try Self.next(&follower) == "lost daemonUnreachable")
        try daemon.start()
        #expect(try Self.next(&follower) == "restarted two")
        #expect(daemon.requests.last?.integer("since") == 900)
        daemon.push(Replies.catalogEvent(1))
        #expect(try Self.next(&follower) == "event 1")
        daemon.hangUp()
        _ = try Self.next(&follower)
        #expect(try Self.next(&follower) == "subscribed two")
        #expect(daemon.requests.last?.integer("since") == 1)
    }

    // MARK: The first connection

    @Test func ifTheFirstConnectionMustSucceedItsFailureIsThrown() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        daemon.stop()
        var follower = Self.follower(of: daemon)
        var code: PromoError.Code?
        do throws(PromoError) { _ = try follower.next() } catch { code = error.code }
        #expect(code == .daemonUnreachable)
    }

    @Test func aFollowerMayWaitForTheDaemonToStart() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        daemon.stop()
        var follower = Self.follower(of: daemon, start: .whenThere)
        #expect(try Self.next(&follower) == "lost daemonUnreachable")
        try daemon.start()
        #expect(try Self.next(&follower) == "subscribed one")
    }

    @Test(
        arguments: [
            (.refusal("busy"), .refused), (.result("{}"), .badReply), (.result("[]"), .badReply),
            (.bytes("hello\n"), .badReply),
            (.end, .connectionLost),
        ] as [(ScriptedDaemon.Answer, PromoError.Code)])
    func aSubscriptionThatFailsIsTriedAgain(answer: ScriptedDaemon.Answer, code: PromoError.Code) throws {
        let count = Mutex(0)
        let daemon = try ScriptedDaemon { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? answer : .result(Replies.subscribed())
            }
        }
        var follower = Self.follower(of: daemon, start: .whenThere)
        #expect(try Self.next(&follower) == "lost \(code)")
        #expect(try Self.next(&follower) == "subscribed one")
    }

    @Test func thePausesBetweenConnectionsGrow() throws {
        let daemon = try ScriptedDaemon { _ in .end }
        daemon.stop()
        var follower = Self.follower(of: daemon, start: .whenThere)
        let elapsed = try ContinuousClock().measure {
            for _ in 0..<4 { _ = try Self.next(&follower) }
        }
        // Each pause is at least half of 100, 200 and 400 ms.
        #expect(elapsed >= .milliseconds(350))
    }

    @Test func aPathThatIsTooLongIsNotTriedInALoop() throws {
        let client = DaemonClient(socketPath: "/" + String(repeating: "a", count: 200))
        var follower = EventFollower(
            client, SubscribeParameters(events: [.catalog]), start: .whenThere, interruption: Interruption())
        let elapsed = try ContinuousClock().measure {
            for _ in 0..<4 { _ = try Self.next(&follower) }
        }
        // Each pause is at least half of 100, 200 and 400 ms.
        #expect(elapsed >= .milliseconds(350))
    }

    @Test func aDaemonThatDropsSubscriptionsIsNotAskedInALoop() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        var follower = Self.follower(of: daemon)
        let elapsed = try ContinuousClock().measure {
            for _ in 0..<4 {
                let subscribed = try Self.next(&follower)
                daemon.hangUp()
                let lost = try Self.next(&follower)
                #expect([subscribed, lost] == ["subscribed one", "lost connectionLost"])
            }
        }
        // Each pause is at least half of 100, 200 and 400 ms.
        #expect(elapsed >= .milliseconds(350))
    }

    // MARK: Ends of waiting

    @Test func aWaitThatTimesOutLosesNoEvent() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        var follower = Self.follower(of: daemon)
        _ = try Self.next(&follower)
        #expect(try follower.next(until: .after(.milliseconds(30))) == nil)
        #expect(try follower.next(until: .after(.zero)) == nil)
        daemon.push(Replies.catalogEvent(1))
        #expect(try Self.next(&follower) == "event 1")
        #expect(daemon.requests.count == 1)
    }

    @Test func anInterruptionEndsAWaitForEvents() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        let code = await interrupted(daemon) { await daemon.hasSubscribers(1) }
        #expect(code == .cancelled)
        await daemon.hasConnections(0)
    }

    @Test func anInterruptionEndsAWaitForADaemon() async throws {
        let daemon = try ScriptedDaemon { _ in .end }
        #expect(await interrupted(daemon) { await daemon.wasAsked("subscribe", times: 3) } == .cancelled)
        daemon.stop()
        #expect(await interrupted(daemon) {} == .cancelled)
    }

    @Test func anInterruptionEndsAWaitForASubscription() async throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        #expect(await interrupted(daemon) { await daemon.wasAsked("subscribe") } == .cancelled)
    }

    @Test func anInterruptionEndsAFloodOfOtherLines() async throws {
        let daemon = try ScriptedDaemon { _ in .flood(Replies.subscribed(), "{\"result\":1}\n") }
        #expect(await interrupted(daemon) { await daemon.wasAsked("subscribe") } == .cancelled)
        await daemon.hasConnections(0)
    }

    /// The error of a follower that is interrupted after an event.
    private func interrupted(_ daemon: ScriptedDaemon, after event: () async -> Void) async -> PromoError.Code {
        let interruption = Interruption()
        let (ends, end) = AsyncStream<PromoError.Code>.makeStream()
        Thread.detachNewThread {
            var follower = Self.follower(of: daemon, start: .whenThere, interruption: interruption)
            while true {
                do throws(PromoError) {
                    _ = try follower.next()
                } catch {
                    // This closes the connection.
                    _ = consume follower
                    end.yield(error.code)
                    return
                }
            }
        }
        await event()
        interruption.fire()
        for await code in ends { return code }
        return .timedOut
    }
}
