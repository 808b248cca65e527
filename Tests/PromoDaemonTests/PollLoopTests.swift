import CLinux
import Dispatch
import Glibc
import PromoCore
@testable import PromoDaemon
import Testing

/// The order in which the loop calls whom, on which the server relies.
struct PollLoopTests {
    private let loop: PollLoop

    init() throws {
        // Its clock stands still within a round, so that none is late.
        loop = try PollLoop { 0 }
    }

    private func turn() {
        loop.later { [loop] in loop.stop() }
        loop.run()
    }

    @Test func aSourceThatAnotherRemovesInTheSameRoundIsNotCalled() throws {
        let pairs = try (0..<2).map { _ in try Peer.pair() }
        defer { for (_, end) in pairs { close(end) } }
        var calls: [Int] = []
        for (index, (peer, end)) in pairs.enumerated() {
            let other = pairs[1 - index].1
            try loop.add(end, for: .input) { [loop] _ in
                calls.append(index)
                loop.remove(other)
            }
            peer.send("x")
        }
        for _ in 0..<3 { turn() }
        // Whichever came first, the other never came.
        #expect(calls == Array(repeating: calls.first, count: 3))
    }

    @Test func aTimerThatAnotherCancelsInTheSameRoundDoesNotFire() {
        var fired: [Int] = []
        var second: PollLoop.TimerID?
        loop.schedule(at: loop.now) { [loop] in
            fired.append(1)
            if let second { loop.cancel(second) }
        }
        second = loop.schedule(at: loop.now) { fired.append(2) }
        turn()
        turn()
        #expect(fired == [1])
    }

    @Test func timersFireInTheOrderOfTheirTimesUnlessCancelled() throws {
        var order: [Int] = []
        let now = loop.now
        let cancelled = loop.schedule(at: now + 2) { order.append(99) }
        loop.schedule(at: now + 5) {
            order.append(3)
            loop.stop()
        }
        loop.schedule(at: now + 1) { order.append(1) }
        loop.schedule(at: now + 3) { order.append(2) }
        loop.cancel(cancelled)
        loop.run()
        #expect(order == [1, 2, 3])
    }

    @Test(arguments: [(0, 3), (1, 1)]) func aRoundTakesAMillisecond(each: Int64, called: Int) throws {
        var (time, count) = (0 as Int64, 0)
        let loop = try PollLoop { time }
        loop.later { loop.stop() }
        for _ in 0..<3 {
            loop.later {
                count += 1
                time += each
            }
        }
        loop.run()
        #expect(count == called)
    }

    @Test func jobsThatDoNotFitIntoARoundComeInTheNextOnesInTheirOrder() throws {
        final class Taken {
            var numbers: [Int] = []
        }
        let (loop, inbox, taken) = (try PollLoop(roundTime: 0), try Inbox<Taken>(), Taken())
        try loop.add(inbox.descriptor, for: .input) { [loop] _ in inbox.empty(into: taken) { loop.isLate } }
        for number in 0..<3 { inbox.submit { $0.numbers.append(number) } }
        for round in 1...3 {
            loop.later { loop.stop() }
            loop.run()
            #expect(taken.numbers == Array(0..<round))
            inbox.submit { $0.numbers.append(9) }
        }
    }
}
