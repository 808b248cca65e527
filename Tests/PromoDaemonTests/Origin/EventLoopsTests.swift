import Dispatch
import NIOCore
import NIOPosix
@testable import PromoDaemon
import Testing

/// The network's threads end with the fetch, unless a name lookup may still be running.
struct EventLoopsTests {
    private let loops = EventLoops(queue: DispatchQueue(label: "test"))

    private func end(_ loop: EventLoops.Loop) async {
        await withCheckedContinuation { ended in
            loops.end(loop) { ended.resume() }
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

    @Test func theLoopOfAFetchThatGotAResponseEnds() async {
        let loop = loops.take()
        #expect(await isRunning(loop))
        await end(loop)
        #expect(loops.take().group !== loop.group)
    }

    @Test func theLoopOfAFetchThatGotNoneServesTheNextFetch() async {
        let first = loops.take()
        loops.keep(first)
        #expect(await isRunning(first))
        let second = loops.take()
        #expect(second.group === first.group)
        // The lookup of the first fetch may still report to it.
        await end(second)
        #expect(await isRunning(first))
        #expect(loops.take().group === first.group)
    }
}
