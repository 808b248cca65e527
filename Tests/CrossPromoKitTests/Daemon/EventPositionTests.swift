import CrossPromoKit
import PromoWire
import Testing

/// Where a new subscription continues.
struct EventPositionTests {
    private func answer(_ epoch: String, seq: Int, replayed: Int = 0) -> SubscribeResult {
        SubscribeResult(subscribed: [.catalog], epoch: epoch, seq: seq, replayed: replayed, missed: 0)
    }

    @Test func withoutSinceTheNextEventIsTheFirst() {
        var position = EventPosition(SubscribeParameters(events: [.tap], host: "finebill"))
        let isAnotherStart = position.subscribed(answer("a", seq: 41))
        #expect(!isAnotherStart)
        #expect(
            position.parameters == SubscribeParameters(events: [.tap], host: "finebill", since: 41, epoch: "a"))
    }

    @Test func aNewConnectionContinuesAfterTheLastEvent() {
        var position = EventPosition(SubscribeParameters())
        _ = position.subscribed(answer("a", seq: 41))
        position.received(seq: 45)
        let isAnotherStart = position.subscribed(answer("a", seq: 60, replayed: 15))
        #expect(!isAnotherStart)
        #expect(position.parameters.since == 45)
    }

    @Test func aReplayThatWasCutOffContinuesWhereItWasCut() {
        var position = EventPosition(SubscribeParameters(since: 10, epoch: "a"))
        _ = position.subscribed(answer("a", seq: 60, replayed: 50))
        position.received(seq: 11)
        position.received(seq: 12)
        _ = position.subscribed(answer("a", seq: 60, replayed: 48))
        #expect(position.parameters.since == 12)
    }

    @Test func aPositionNeverGoesBack() {
        var position = EventPosition(SubscribeParameters(since: 10))
        position.received(seq: 9)
        #expect(position.parameters.since == 10)
        position.received(seq: .max)
        position.received(seq: 0)
        #expect(position.parameters.since == .max)
    }

    @Test func anotherEpochMeansARestart() {
        var position = EventPosition(SubscribeParameters(since: 500, epoch: "a"))
        let isAnotherStart = position.subscribed(answer("b", seq: 3))
        #expect(isAnotherStart)
        #expect(position.parameters.since == 3)
        #expect(position.parameters.epoch == "b")
    }

    @Test func theReplayOfAnotherEpochAdvancesThePosition() {
        var position = EventPosition(SubscribeParameters(since: 500, epoch: "a"))
        _ = position.subscribed(answer("b", seq: 3, replayed: 3))
        #expect(position.parameters.since == 0)
        position.received(seq: 1)
        #expect(position.parameters.since == 1)
        let isAnotherStart = position.subscribed(answer("b", seq: 3, replayed: 2))
        #expect(!isAnotherStart)
        #expect(position.parameters.since == 1)
    }

    @Test func aSubscriberThatFellBehindContinuesAfterTheLastEventThatWasSent() {
        var position = EventPosition(SubscribeParameters())
        _ = position.subscribed(answer("a", seq: 0))
        position.received(seq: 7)
        // The last line on a connection has the number of the last event that was sent.
        position.received(seq: 9)
        _ = position.subscribed(answer("a", seq: 1500, replayed: 1024))
        #expect(position.parameters.since == 9)
    }

    @Test func sinceWithoutAnEpochCountsInTheEpochOfTheAnswer() {
        var position = EventPosition(SubscribeParameters(since: 5))
        let isAnotherStart = position.subscribed(answer("a", seq: 9, replayed: 4))
        #expect(!isAnotherStart)
        #expect(position.parameters.since == 5)
        #expect(position.parameters.epoch == "a")
    }
}
