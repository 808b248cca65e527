import Dispatch
import NIOCore
import NIOPosix
@testable import PromoDaemon
import Testing

/// The network's threads live as long as a fetch, but for one whose lookup may go on.
struct EventLoopsTests {
    // On a busy machine, a test may have to wait for minutes.
    private let loops = EventLoops(queue: DispatchQueue(label: "test"), longestLookup: 86_400)

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
        let loop = try loops.take()
        #expect(await isRunning(loop))
        await giveBack(loop, after: .over)
        #expect(try loops.take().group !== loop.group)
    }

    @Test func theLoopOfALookupThatMayGoOnServesTheNextFetch() async throws {
        let first = try loops.take()
        await giveBack(first, after: .running)
        #expect(await isRunning(first))
        let second = try loops.take()
        #expect(second.group === first.group)
        // The lookup of the first fetch may still report to it.
        await giveBack(second, after: .over)
        #expect(await isRunning(first))
        #expect(try loops.take().group === first.group)
    }
}
