import Dispatch
import NIOCore
import NIOPosix
import Synchronization

/// The event loops of fetches: each fetch has one, whose thread ends with it.
///
/// A name look-up cannot be cancelled and reports to its loop whenever it ends, and NIO does not tolerate a report to a loop that
/// is gone. The loop of a fetch that may have left a look-up behind is therefore kept for the next fetch.
final class EventLoops: Sendable {
    /// A loop, and until when a look-up may report to it.
    struct Loop: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        fileprivate var lookUpEnds = NIODeadline.uptimeNanoseconds(0)
    }

    /// The longest that glibc's resolver tries: 3 servers, 2 attempts of 5 s each, 6 search domains.
    private static let longestLookUp = TimeAmount.seconds(180)

    // A global queue, which the libraries would take, starts a wake-up a second for the life of the process.
    private let queue: DispatchQueue
    private let kept = Mutex<[Loop]>([])

    /// Loops that report their end on that queue.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// A loop for one fetch.
    func take() -> Loop {
        kept.withLock { $0.popLast() } ?? Loop()
    }

    /// Ends the loop of a fetch that is over, or keeps it; the completion comes then.
    /// - Parameter mayResolve: whether the fetch may have left a look-up behind.
    func giveBack(_ loop: Loop, mayResolve: Bool, completion: @escaping @Sendable () -> Void) {
        var loop = loop
        let now = NIODeadline.now()
        if mayResolve { loop.lookUpEnds = now + Self.longestLookUp }
        let ended = kept.withLock { [loop] kept in
            let all = kept + [loop]
            kept = all.filter { now < $0.lookUpEnds }
            return all.filter { $0.lookUpEnds <= now }
        }
        let all = DispatchGroup()
        for loop in ended {
            all.enter()
            loop.group.shutdownGracefully(queue: queue) { _ in all.leave() }
        }
        all.notify(queue: queue, execute: completion)
    }
}
