import Dispatch
import NIOCore
import NIOPosix
import PromoWire
import Synchronization

/// The event loops of fetches: each fetch has one, whose thread ends with it.
///
/// A name lookup cannot be cancelled and reports to its loop whenever it ends, and NIO does not tolerate a report to a loop that is
/// gone. The loop of a fetch that may have left a lookup behind is therefore kept until the lookup must have ended. Fetches from the
/// same host use it meanwhile. Others would have to wait behind that lookup, so they use it only if there may be no more loops.
///
/// NIO ends the process if it can make no loop, so none is made without ``Headroom``.
final class EventLoops: Sendable {
    /// A loop, and until when a lookup may report to it.
    struct Loop: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        fileprivate let host: String
        fileprivate var lookupEnds = NIODeadline.uptimeNanoseconds(0)
    }

    private struct State {
        var inUse = 0
        /// In the order in which they were given back.
        var kept: [Loop] = []

        mutating func takeKept(_ index: Int?) -> Loop? {
            guard let index, kept.indices.contains(index) else { return nil }
            return kept.remove(at: index)
        }
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
    static let spareDescriptors = 16
    /// That of the loop, those of Dispatch for the name lookup and for what follows the fetch, and one for others.
    private static let spareThreads = 4

    private let queue: DispatchQueue
    private let longestLookup: Int64
    private let allowed: @Sendable () -> Int
    private let state = Mutex(State())

    /// Loops that are ended on that queue, which must not be a global one: the first job there starts a wake-up a second.
    /// - Parameters:
    ///   - allowed: how many loops there may be at a time.
    ///   - longestLookup: how many seconds a lookup may go on.
    init(queue: DispatchQueue, allowed: @escaping @Sendable () -> Int = { .max }, longestLookup: Int64 = 180) {
        self.queue = queue
        self.allowed = allowed
        self.longestLookup = longestLookup
    }

    /// A loop for one fetch from that host.
    /// - Throws: the failure if too few descriptors are left, or no thread.
    func take(for host: String) throws(Failure) -> Loop {
        let maximum = allowed()
        let kept = state.withLock { state in
            state.inUse += 1
            let isFull = state.inUse + state.kept.count > maximum
            return state.takeKept(state.kept.lastIndex { $0.host == host } ?? (isFull ? 0 : nil))
        }
        if let kept { return kept }
        guard let lack = Self.lack else { return Loop(host: host) }
        return try state.withLock { state throws(Failure) in
            if let kept = state.takeKept(0) { return kept }
            state.inUse -= 1
            throw lack
        }
    }

    /// What the process lacks for one more loop; nil if nothing.
    private static var lack: Failure? {
        guard Headroom.hasDescriptors(spareDescriptors) else {
            return Failure(
                .connect,
                "Cannot connect to anything: promod may open no more files; raise the limit (ulimit -n, or LimitNOFILE=)."
            )
        }
        guard Headroom.hasThreads(spareThreads) else {
            return Failure(
                .connect,
                "Cannot connect to anything: promod may start no more threads; end processes, or raise the limit (ulimit -u, or TasksMax=)."
            )
        }
        return nil
    }

    /// Ends the loop of a fetch that is over, at once or when no lookup can report to it any more.
    /// - Parameter completion: called when the loop has ended, or at once if it is kept.
    func giveBack(_ loop: Loop, after lookup: Lookup, completion: @escaping @Sendable () -> Void) {
        var loop = loop
        let now = NIODeadline.now()
        loop.lookupEnds = max(loop.lookupEnds, now + .seconds(lookup.seconds(longest: longestLookup)))
        let rest = loop.lookupEnds - now
        guard rest > .zero else {
            return loop.group.shutdownGracefully(queue: queue) { [self] _ in
                state.withLock { $0.inUse -= 1 }
                completion()
            }
        }
        state.withLock { [loop] state in
            state.inUse -= 1
            state.kept.append(loop)
        }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(rest.nanoseconds))) { self.endUnused() }
        completion()
    }

    private func endUnused() {
        let now = NIODeadline.now()
        let unused = state.withLock { state in
            defer { state.kept.removeAll { $0.lookupEnds <= now } }
            return state.kept.filter { $0.lookupEnds <= now }
        }
        for loop in unused { loop.group.shutdownGracefully(queue: queue) { _ in Memory.giveBack() } }
    }
}
