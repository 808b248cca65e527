import Dispatch
import NIOCore
import NIOPosix
import Synchronization

/// The event loops of fetches: each fetch has one, whose thread ends with it.
///
/// A name look-up cannot be cancelled and reports to its loop whenever it ends, and NIO does not tolerate a report to a loop that
/// is gone. The loop of a fetch that got no response is therefore kept for the next fetch, and ended with the first that gets one,
/// or as soon after it as no look-up can still be under way.
final class EventLoops: Sendable {
    /// A loop, and until when a look-up may report to it.
    struct Loop: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        fileprivate var lookUpEnds = NIODeadline.uptimeNanoseconds(0)
    }

    /// How long glibc's resolver tries at most, in seconds: 3 servers, 2 attempts of 5 s each, 6 search domains.
    private static let longestLookUp = 180

    private let queue: DispatchQueue
    private let kept = Mutex<[Loop]>([])

    /// Loops that are ended on that queue, which must not be a global one: the first job there starts a wake-up a second.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// A loop for one fetch.
    func take() -> Loop {
        kept.withLock { $0.popLast() } ?? Loop()
    }

    /// Keeps the loop of a fetch that got no response: its look-up may go on.
    func keep(_ loop: Loop) {
        var loop = loop
        loop.lookUpEnds = .now() + .seconds(Int64(Self.longestLookUp))
        kept.withLock { [loop] in $0.append(loop) }
    }

    /// Ends the loop of a fetch that got a response, and those that were kept, as soon as no look-up can report to them.
    /// - Parameter completion: called when this loop has ended, or at once if it is kept on.
    func end(_ loop: Loop, completion: @escaping @Sendable () -> Void) {
        kept.withLock { $0.append(loop) }
        endUnused(completion)
        guard !kept.withLock({ $0.isEmpty }) else { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.longestLookUp + 1)) {
            self.endUnused {}
        }
    }

    private func endUnused(_ completion: @escaping @Sendable () -> Void) {
        let now = NIODeadline.now()
        let unused = kept.withLock { kept in
            let unused = kept.filter { $0.lookUpEnds <= now }
            kept.removeAll { $0.lookUpEnds <= now }
            return unused
        }
        let ended = DispatchGroup()
        for loop in unused {
            ended.enter()
            loop.group.shutdownGracefully(queue: queue) { _ in ended.leave() }
        }
        ended.notify(queue: queue, execute: completion)
    }
}
