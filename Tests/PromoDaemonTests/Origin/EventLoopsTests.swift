import Dispatch
import NIOCore
import NIOPosix
@testable import PromoDaemon
import Testing

/// The network's threads live as long as a fetch, but for one whose look-up may go on.
struct EventLoopsTests {
    private let loops = EventLoops(queue: DispatchQueue(label: "test"))

    private func giveBack(_ loop: EventLoops.Loop, mayResolve: Bool) async {
        await withCheckedContinuation { ended in
            loops.giveBack(loop, mayResolve: mayResolve) { ended.resume() }
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

    @Test func theLoopOfAFetchThatIsOverEnds() async {
        let loop = loops.take()
        #expect(await isRunning(loop))
        await giveBack(loop, mayResolve: false)
        #expect(loops.take().group !== loop.group)
    }

    @Test func theLoopOfALookUpThatMayGoOnServesTheNextFetch() async {
        let first = loops.take()
        await giveBack(first, mayResolve: true)
        #expect(await isRunning(first))
        let second = loops.take()
        #expect(second.group === first.group)
        // The look-up of the first fetch may still report to it.
        await giveBack(second, mayResolve: false)
        #expect(await isRunning(first))
        #expect(loops.take().group === first.group)
    }
}
