import Dispatch
import NIOCore
import NIOPosix
@testable import PromoDaemon
import Testing

/// The network's threads live as long as a fetch, but for one whose lookup may go on.
struct EventLoopsTests {
    // On a busy machine, a test may have to wait for minutes.
    private let loops = EventLoops(queue: DispatchQueue(label: "test"), allowed: { 3 }, longestLookup: 86_400)

    private func giveBack(_ loop: EventLoops.Loop, after lookup: EventLoops.Lookup) async {
        await withCheckedContinuation { ended in
            loops.giveBack(loop, after: lookup) { ended.resume() }
        }
    }

    private func isRunning(_ loop: EventLoops.Loop) async -> Bool {
        do {
            try await loop.group.next().submit {}.get()
            return true
        } catch {
            return false
        }
    }

    @Test func theLoopOfAFetchThatGotAResponseEnds() async throws {
        let loop = try loops.take(for: "a.example")
        #expect(await isRunning(loop))
        await giveBack(loop, after: .over)
        #expect(try loops.take(for: "a.example").group !== loop.group)
    }

    @Test func theLoopOfALookupThatMayGoOnServesTheNextFetch() async throws {
        let first = try loops.take(for: "a.example")
        await giveBack(first, after: .running)
        #expect(await isRunning(first))
        let second = try loops.take(for: "a.example")
        #expect(second.group === first.group)
        // The lookup of the first fetch may still report to it.
        await giveBack(second, after: .over)
        #expect(await isRunning(first))
        #expect(try loops.take(for: "a.example").group === first.group)
    }

    @Test func aFetchFromAnotherHostDoesNotWaitBehindThatLookupUnlessThereMayBeNoMoreLoops() async throws {
        var kept: [EventLoops.Loop] = []
        for host in ["a.example", "b.example", "c.example"] {
            let loop = try loops.take(for: host)
            #expect(!kept.contains { $0.group === loop.group })
            await giveBack(loop, after: .running)
            kept.append(loop)
        }
        // The oldest, whose lookup has ended most probably.
        let fourth = try loops.take(for: "d.example")
        #expect(fourth.group === kept[0].group)
        #expect(try loops.take(for: "c.example").group === kept[2].group)
    }
}
