import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import Testing

/// What the loop reports of a socket pair, and in which order.
struct LoopOverSocketPairTests {
    private let loop: PollLoop

    init() throws {
        loop = try PollLoop(turnTime: 600_000)
    }

    private func turn() {
        loop.later { [loop] in loop.stop() }
        loop.run()
    }

    /// What the loop reports of a descriptor after a script of its peer.
    private func report(of interest: PollLoop.Readiness, _ script: (Peer) -> Void) throws -> PollLoop.Readiness {
        let (peer, end) = try Peer.pair()
        defer { close(end) }
        var seen: PollLoop.Readiness = []
        try loop.add(end, for: interest) { seen.formUnion($0) }
        script(peer)
        turn()
        loop.remove(end)
        return seen
    }

    @Test func theEndOfTheInputIsInputAndAHangUpIsReportedWhateverIsWatchedFor() throws {
        let halfClosed = try report(of: .input) { $0.endInput() }
        #expect(halfClosed == .input)
        let unwatched = try report(of: []) { $0.endInput() }
        #expect(unwatched == [])
        let gone = try report(of: []) { $0.hangUp() }
        #expect(!gone.isDisjoint(with: .broken) && gone.isDisjoint(with: [.input, .output]))
        let goneWithBytes = try report(of: .input) { peer in
            peer.send("x")
            peer.hangUp()
        }
        #expect(goneWithBytes.contains(.input) && !goneWithBytes.isDisjoint(with: .broken))
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
        #expect(calls.count == 3 && Set(calls).count == 1)
    }

    @Test func allOfMoreDescriptorsThanOneWaitReportsAreReportedBeforeAnyIsAThirdTime() throws {
        let pairs = try (0..<200).map { _ in try Peer.pair() }
        defer { for (_, end) in pairs { close(end) } }
        var calls = [Int](repeating: 0, count: pairs.count)
        for (index, (peer, end)) in pairs.enumerated() {
            try loop.add(end, for: .input) { _ in calls[index] += 1 }
            peer.send("x")
        }
        var rounds = 0
        while calls.contains(0), rounds < 100 {
            turn()
            rounds += 1
            #expect((calls.max() ?? 0) - (calls.min() ?? 0) <= 2)
        }
        #expect(!calls.contains(0))
        // More than one wait was needed.
        #expect(rounds > 2)
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

    @Test func whatIsDueLaterComesAfterWhatIsReadyAndWhatItAddsComesInTheNextRound() throws {
        let (peer, end) = try Peer.pair()
        defer { close(end) }
        var order: [String] = []
        try loop.add(end, for: .input) { _ in order.append("ready") }
        peer.send("x")
        loop.later { [loop] in
            order.append("later")
            loop.later { order.append("added") }
        }
        loop.schedule(at: loop.now) { order.append("timer") }
        turn()
        #expect(order == ["ready", "timer", "later"])
        turn()
        #expect(order == ["ready", "timer", "later", "ready", "added"])
    }

    @Test func whatTheKernelCannotWatchIsAnError() throws {
        let scratch = try ScratchDirectory()
        let descriptor = open(scratch.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(throws: SystemError.self) { try loop.add(descriptor, for: .input) { _ in } }
        #expect(throws: SystemError.self) { try loop.add(1_000_000, for: .input) { _ in } }
    }
}
