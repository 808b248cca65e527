import Dispatch
import NIOCore
import NIOPosix
import PromoWire
import Synchronization

/// The event loops of fetches: each fetch has one, whose thread ends with it.
///
/// A name lookup cannot be cancelled and reports to its loop whenever it ends, and NIO does not tolerate a report to a loop that is
/// gone. The loop of a fetch that may have left a lookup behind is therefore kept until the lookup must have ended; the fetches of
/// that time use it.
///
/// NIO ends the process if it can make no loop, so none is made without ``Headroom``.
final class EventLoops: Sendable {
    /// A loop, and until when a lookup may report to it.
    struct Loop: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        fileprivate var lookupEnds = NIODeadline.uptimeNanoseconds(0)
    }

    /// What a fetch may have left behind.
    enum Lookup: Sendable {
        /// It has reported, because there was a response.
        case over
        /// It has ended, and may be about to report so.
        case ending
        /// It may go on until glibc's resolver gives up: 3 servers, 2 attempts of 5 s each, 6 search domains.
        case running

        fileprivate func seconds(longest: Int64) -> Int64 {
            switch self {
            case .over: 0
            case .ending: 1
            case .running: longest
            }
        }
    }

    /// More than the loop and the connections of a fetch need, since other threads may open some meanwhile.
    private static let spareDescriptors = 16

    private let queue: DispatchQueue
    private let longestLookup: Int64
    private let kept = Mutex<[Loop]>([])

    /// Loops that are ended on that queue, which must not be a global one: the first job there starts a wake-up a second.
    /// - Parameter longestLookup: how many seconds a lookup may go on.
    init(queue: DispatchQueue, longestLookup: Int64 = 180) {
        self.queue = queue
        self.longestLookup = longestLookup
    }

    /// A loop for one fetch.
    /// - Throws: the failure if too few descriptors are left, or no thread.
    func take() throws(Failure) -> Loop {
        if let loop = kept.withLock({ $0.popLast() }) { return loop }
        guard Headroom.hasDescriptors(Self.spareDescriptors) else {
            throw Failure(
                .connect,
                "Cannot connect to anything: promod may open no more files; raise the limit (ulimit -n, or LimitNOFILE=)."
            )
        }
        guard Headroom.hasThread else {
            throw Failure(
                .connect,
                "Cannot connect to anything: promod may start no thread; end processes, or raise the limit (ulimit -u, or TasksMax=)."
            )
        }
        return Loop()
    }

    /// Ends the loop of a fetch that is over, at once or when no lookup can report to it any more.
    /// - Parameter completion: called when the loop has ended, or at once if it is kept.
    func giveBack(_ loop: Loop, after lookup: Lookup, completion: @escaping @Sendable () -> Void) {
        var loop = loop
        let now = NIODeadline.now()
        loop.lookupEnds = max(loop.lookupEnds, now + .seconds(lookup.seconds(longest: longestLookup)))
        let rest = loop.lookupEnds - now
        guard rest > .zero else {
            return loop.group.shutdownGracefully(queue: queue) { _ in completion() }
        }
        kept.withLock { [loop] in $0.append(loop) }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(rest.nanoseconds))) { self.endUnused() }
        completion()
    }

    private func endUnused() {
        let now = NIODeadline.now()
        let unused = kept.withLock { kept in
            defer { kept.removeAll { $0.lookupEnds <= now } }
            return kept.filter { $0.lookupEnds <= now }
        }
        for loop in unused { loop.group.shutdownGracefully(queue: queue) { _ in Memory.giveBack() } }
    }
}
