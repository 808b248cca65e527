import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// A thread receives events across lost connections and restarts of the daemon.
@Suite(.timeLimit(.minutes(15))) struct EventSubscriberTests {
    private static func subscriber(
        of daemon: ScriptedDaemon, waitsForDaemon: Bool = false, interruption: Interruption = Interruption()
    ) -> EventSubscriber {
        EventSubscriber(
            DaemonClient(socketPath: daemon.path, timeout: .seconds(20)), SubscribeParameters(),
            waitsForDaemon: waitsForDaemon, interruption: interruption)
    }

    /// The next occurrence, in words, which has to come within half a minute.
    private static func next(_ subscriber: inout EventSubscriber) throws -> String {
        switch try subscriber.next(until: .after(.seconds(30))) {
        case .subscribed(let result, _): "subscribed \(result.epoch)"
        case .event(let event, _): "event \(event.seq)"
        case .lost(let error): "lost \(error.code)"
        case nil: "nothing"
        }
    }

    private static let unknown = [
        "", "hello", "{\"result\":1}", "{\"error\":{\"message\":\"no\"}}", Replies.event(12, "\"event\":\"new\""),
        Replies.event(13, "\"event\":\"lagged\""), Replies.event(14, "\"event\":\"catalog\",\"state\":1"),
    ]

    @Test func unknownLinesAreSkippedAndUnknownEventsAdvanceThePosition() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed(since: 3)) }
        var subscriber = Self.subscriber(of: daemon)
        _ = try Self.next(&subscriber)
        for line in Self.unknown { daemon.push(line) }
        daemon.hangUp()
        #expect(try Self.next(&subscriber) == "lost connectionLost")
        _ = try Self.next(&subscriber)
        #expect((13...14).contains(daemon.requests.last?.integer("since") ?? 0))
        daemon.push(Replies.catalogEvent(15))
        #expect(try Self.next(&subscriber) == "event 15")
    }

    @Test(
        arguments: [(.refusal("busy"), .refused), (.result("{}"), .badReply)]
            as [(ScriptedDaemon.Answer, PromoError.Code)])
    func aSubscriptionThatFailsIsTriedAgain(answer: ScriptedDaemon.Answer, code: PromoError.Code) throws {
        let daemon = try ScriptedDaemon { _ in answer }
        var subscriber = Self.subscriber(of: daemon, waitsForDaemon: true)
        #expect(try Self.next(&subscriber) == "lost \(code)")
        daemon.answer { _ in .result(Replies.subscribed()) }
        #expect(try Self.next(&subscriber) == "subscribed one")
    }

    @Test func aDaemonThatDropsSubscriptionsIsNotAskedInALoop() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        var subscriber = Self.subscriber(of: daemon)
        let elapsed = try ContinuousClock().measure {
            for _ in 0..<4 {
                let subscribed = try Self.next(&subscriber)
                daemon.hangUp()
                let lost = try Self.next(&subscriber)
                #expect([subscribed, lost] == ["subscribed one", "lost connectionLost"])
            }
        }
        // Each pause is at least half of 100, 200 and 400 ms.
        #expect(elapsed >= .milliseconds(350))
    }

    // MARK: Ends of waiting

    @Test func aWaitThatTimesOutLosesNoEvent() throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        var subscriber = Self.subscriber(of: daemon)
        _ = try Self.next(&subscriber)
        #expect(try subscriber.next(until: .after(.milliseconds(30))) == nil)
        #expect(try subscriber.next(until: .after(.zero)) == nil)
        daemon.push(Replies.catalogEvent(1))
        #expect(try Self.next(&subscriber) == "event 1")
        #expect(daemon.requests.count == 1)
    }

    @Test func anInterruptionEndsAWaitForEventsForASubscriptionAndForADaemon() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Replies.subscribed()) }
        #expect(await interrupted(daemon) { await daemon.hasSubscribers(1) } == .cancelled)
        await daemon.hasConnections(0)
        daemon.answer { _ in .silence }
        #expect(await interrupted(daemon) { await daemon.wasAsked("subscribe", times: 2) } == .cancelled)
        daemon.stop()
        #expect(await interrupted(daemon) {} == .cancelled)
    }

    @Test func anInterruptionEndsAFloodOfOtherLines() async throws {
        let daemon = try ScriptedDaemon { _ in .flood(Replies.subscribed(), "{\"result\":1}\n") }
        #expect(await interrupted(daemon) { await daemon.wasAsked("subscribe") } == .cancelled)
        await daemon.hasConnections(0)
    }

    /// The error of a subscriber that is interrupted after an event.
    private func interrupted(_ daemon: ScriptedDaemon, after event: () async -> Void) async -> PromoError.Code {
        let interruption = Interruption()
        let (ends, end) = AsyncStream<PromoError.Code>.makeStream()
        Thread.detachNewThread {
            var subscriber = Self.subscriber(of: daemon, waitsForDaemon: true, interruption: interruption)
            while true {
                do throws(PromoError) {
                    _ = try subscriber.next()
                } catch {
                    // This closes the connection.
                    _ = consume subscriber
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
