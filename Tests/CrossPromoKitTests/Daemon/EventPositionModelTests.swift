import CrossPromoKit
import PromoTestSupport
import PromoWire
import Testing

/// The position against a model of the daemon, with connections that end and restarts at random moments.
struct EventPositionModelTests {
    private struct Daemon {
        var epoch = 0
        var seq = 0

        /// The sequence numbers that a subscription replays.
        func replayed(_ parameters: SubscribeParameters) -> ClosedRange<Int>? {
            guard let since = parameters.since else { return nil }
            let first = parameters.epoch == "\(epoch)" ? since + 1 : 1
            return first <= seq ? first...seq : nil
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func everyEventComesOnceAndInOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var daemon = Daemon()
        var position = EventPosition(SubscribeParameters())
        var isFirst = true
        var expected: [String] = []
        var received: [String] = []
        for _ in 0..<60 {
            let replay = daemon.replayed(position.parameters)
            let wasAnother = position.parameters.epoch.map { $0 != "\(daemon.epoch)" } ?? false
            let isAnotherStart = position.subscribed(
                SubscribeResult(
                    subscribed: [], epoch: "\(daemon.epoch)", seq: daemon.seq, replayed: replay?.count ?? 0, missed: 0))
            #expect(isAnotherStart == wasAnother)
            if isFirst { expected = [] }
            isFirst = false
            // The connection ends before the whole replay was read, or lasts through some more events.
            let kept = Int.random(in: 0...(replay?.count ?? 0), using: &generator)
            for seq in (replay.map(Array.init) ?? []).prefix(kept) {
                received.append("\(daemon.epoch)/\(seq)")
                position.received(seq: seq)
            }
            if kept == replay?.count ?? 0 {
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    daemon.seq += 1
                    expected.append("\(daemon.epoch)/\(daemon.seq)")
                    received.append("\(daemon.epoch)/\(daemon.seq)")
                    position.received(seq: daemon.seq)
                }
            }
            // The daemon may restart, and events happen, while there is no subscription.
            if received == expected, Bool.random(using: &generator) {
                daemon = Daemon(epoch: daemon.epoch + 1)
            }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                daemon.seq += 1
                expected.append("\(daemon.epoch)/\(daemon.seq)")
            }
        }
        #expect(Array(expected.prefix(received.count)) == received)
        let rest = daemon.replayed(position.parameters).map(Array.init) ?? []
        #expect(received + rest.map { "\(daemon.epoch)/\($0)" } == expected)
    }
}
