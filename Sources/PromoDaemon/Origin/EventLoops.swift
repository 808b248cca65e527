import Dispatch
import NIOCore
import NIOPosix
import Synchronization

/// The event loops of fetches. Each fetch has one, and its thread ends with it.
///
/// A name lookup cannot be cancelled and reports to its loop when it ends, and NIO allows no report to a loop that is gone. So the
/// loop of a fetch without a response is kept for the next fetch. It is ended after the first fetch with a response, as soon as no
/// lookup can still report to it.
final class EventLoops: Sendable {
    /// A loop, and the time until which a lookup may report to it.
    struct Loop: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        fileprivate var lookUpEnds = NIODeadline.uptimeNanoseconds(0)
    }

    /// The longest lookup of glibc's resolver in seconds: 3 servers, 2 attempts of 5 s each, 6 search domains.
    private static let longestLookUp = 180

    private let queue: DispatchQueue
    private let kept = Mutex<[Loop]>([])

    /// Loops that are shut down on a queue. It must not be a global queue, whose first job starts one wake-up per second.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// A loop for one fetch.
    func take() -> Loop {
        kept.withLock { $0.popLast() } ?? Loop()
    }

    /// Keeps the loop of a fetch without a response, because its lookup may still be running.
    func keep(_ loop: Loop) {
        var loop = loop
        loop.lookUpEnds = .now() + .seconds(Int64(Self.longestLookUp))
        kept.withLock { [loop] in $0.append(loop) }
    }

    /// Ends the loop of a fetch with a response, and the kept loops, as soon as no lookup can report to them.
    /// - Parameter completion: called when the loops that can end now have ended.
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
