import CLinux
import Dispatch
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import Synchronization
import Testing

struct PollLoopTests {
    private func pair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }

    @Test func aReadableDescriptorIsReportedUntilItIsRemoved() throws {
        let loop = try PollLoop(turnTime: 5)
        let (one, other) = pair()
        defer { _ = (close(one), close(other)) }
        var calls = 0
        try loop.add(one, for: .input) { readiness in
            #expect(readiness == .input)
            calls += 1
            if calls == 3 {
                loop.remove(one)
                loop.later { loop.stop() }
            }
        }
        write(other, "x", 1)
        loop.run()
        #expect(calls == 3)
    }

    @Test func longWorkThatIsDueLetsDescriptorsHaveTheirTurn() throws {
        let loop = try PollLoop(turnTime: 0)
        let (one, other) = pair()
        defer { _ = (close(one), close(other)) }
        var seen: [String] = []
        try loop.add(one, for: .input) { _ in
            loop.remove(one)
            seen.append("descriptor")
        }
        for number in 0..<3 {
            loop.later {
                write(other, "x", 1)
                seen.append("\(number)")
                if number == 2 { loop.stop() }
            }
        }
        loop.run()
        #expect(seen == ["0", "descriptor", "1", "2"])
    }

    @Test func aChangeOfReadinessTakesEffect() throws {
        let loop = try PollLoop(turnTime: 5)
        let (one, other) = pair()
        defer { _ = (close(one), close(other)) }
        var seen: [PollLoop.Readiness] = []
        try loop.add(one, for: .output) { readiness in
            seen.append(readiness)
            if seen.count == 1 { loop.change(one, to: .input) } else { loop.stop() }
        }
        write(other, "x", 1)
        loop.run()
        #expect(seen == [.output, .input])
    }

    @Test func aPeerThatGoesAwayIsReported() throws {
        let loop = try PollLoop(turnTime: 5)
        let (one, other) = pair()
        defer { close(one) }
        var seen: PollLoop.Readiness = []
        try loop.add(one, for: .output) { readiness in
            seen = readiness
            loop.stop()
        }
        close(other)
        loop.run()
        #expect(!seen.isDisjoint(with: .broken))
    }

    @Test func timersFireInTheOrderOfTheirTimesUnlessCancelled() throws {
        let loop = try PollLoop(turnTime: 5)
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

    @Test func aHundredThousandCancelledTimersLeakNothing() throws {
        let loop = try PollLoop(turnTime: 5)
        for _ in 0..<100_000 { loop.cancel(loop.schedule(at: loop.now + 1_000_000) {}) }
        #expect(loop.timers.count == 0)
    }

    @Test func jobsOfOtherThreadsRunInTheirOrder() throws {
        final class Place { var jobs: [Int] = [] }
        let loop = try PollLoop(turnTime: 5)
        let inbox = try Inbox<Place>()
        let place = Place()
        try loop.add(inbox.descriptor, for: .input) { _ in
            inbox.empty(into: place)
            if place.jobs.count >= 1000 { loop.stop() }
        }
        DispatchQueue(label: "test").async {
            for number in 0..<1000 { inbox.submit { $0.jobs.append(number) } }
        }
        loop.run()
        #expect(place.jobs == Array(0..<1000))
    }
}
