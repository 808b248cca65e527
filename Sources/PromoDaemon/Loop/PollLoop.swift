import CLinux
import Glibc
import PromoWire

/// An event loop over epoll(7). It waits, and then calls the closures of the descriptors that are ready, the timers that are due, and
/// the closures that were passed to ``later(_:)``.
///
/// It belongs to the thread that runs it. Other threads use an ``Inbox``.
final class PollLoop {
    /// What a descriptor is ready for.
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: 0x001)
        static let output = Readiness(rawValue: 0x004)
        /// The peer has closed the connection, or there is an error; always reported.
        static let broken = Readiness(rawValue: 0x008 | 0x010)
    }

    /// Identifies a timer.
    typealias TimerID = Int

    /// The maximum number of descriptors per wait, small enough that timers and other work do not wait long.
    private static let batch = 64

    /// How long a round may take, after which the rest has to wait for the next one: the descriptors that are ready and the timers, or
    /// the closures of ``later(_:)``.
    var roundTime: Milliseconds

    /// The time within a round.
    private let time: () -> Milliseconds
    private let epoll: Int32
    /// What is called for each descriptor.
    private var sources: [((Readiness) -> Void)?] = []
    private var soon: [() -> Void] = []
    /// What the timers call. An idle daemon has none; a busy one has those of clients that are leaving.
    private(set) var timers: [TimerID: () -> Void] = [:]
    private var times = TimerHeap()
    private var lastTimer = 0
    private var isRunning = false

    /// The time when the loop last stopped waiting.
    private(set) var now: Milliseconds = PollLoop.clock()
    private var roundEnd: Milliseconds = 0

    /// Whether the round is over, so that work that can wait should be passed to ``later(_:)``.
    var isLate: Bool { time() >= roundEnd }

    init(roundTime: Milliseconds = 1, time: @escaping () -> Milliseconds = PollLoop.clock) throws(SystemError) {
        (self.roundTime, self.time) = (roundTime, time)
        epoll = promod_epoll_create()
        guard epoll >= 0 else { throw SystemError("make an epoll descriptor for", "the socket") }
    }

    deinit {
        close(epoll)
    }

    // MARK: Descriptors

    /// Calls the closure whenever the descriptor is ready, until ``remove(_:)``.
    /// - Throws: ``SystemError`` if the kernel has no memory for it.
    func add(
        _ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void
    ) throws(SystemError) {
        while sources.count <= Int(descriptor) { sources.append(nil) }
        guard promod_epoll_set(epoll, 1, descriptor, readiness.rawValue) == 0 else {
            throw SystemError("watch", "a connection")
        }
        sources[Int(descriptor)] = ready
    }

    /// Changes the readiness for which the closure is called.
    func change(_ descriptor: Int32, to readiness: Readiness) {
        _ = promod_epoll_set(epoll, 3, descriptor, readiness.rawValue)
    }

    /// Stops watching the descriptor.
    func remove(_ descriptor: Int32) {
        _ = promod_epoll_set(epoll, 2, descriptor, 0)
        sources[Int(descriptor)] = nil
    }

    // MARK: Time

    /// Calls the closure once, after the descriptors that are ready now.
    func later(_ body: @escaping () -> Void) {
        soon.append(body)
    }

    /// Calls the closure once, at a time or soon after it.
    @discardableResult
    func schedule(at time: Milliseconds, _ body: @escaping () -> Void) -> TimerID {
        lastTimer += 1
        timers[lastTimer] = body
        times.insert(TimerHeap.Entry(at: time, id: lastTimer))
        // Those of cancelled timers stay until they are due, or are most.
        if times.count > 2 * timers.count + 64 { times.keep { timers[$0.id] != nil } }
        return lastTimer
    }

    /// Cancels a timer.
    func cancel(_ timer: TimerID) {
        timers[timer] = nil
    }

    // MARK: Running

    /// Runs the loop until ``stop()``.
    func run() {
        isRunning = true
        var ready = [promod_ready](repeating: promod_ready(), count: Self.batch)
        while isRunning {
            // The kernel writes at most `ready.count` events.
            let count = Int(unsafe promod_epoll_wait(epoll, &ready, Int32(ready.count), timeout))
            // A signal interrupted the wait.
            guard count >= 0 else { continue }
            now = Self.clock()
            roundEnd = time() + roundTime
            for index in 0..<count {
                let (descriptor, events) = (Int(ready[index].descriptor), ready[index].events)
                sources[descriptor]?(Readiness(rawValue: events))
            }
            callTimers()
            callSoon()
        }
    }

    /// Ends ``run()`` after the current round.
    func stop() {
        isRunning = false
    }

    private var timeout: Int32 {
        guard soon.isEmpty else { return 0 }
        guard !timers.isEmpty, let first = times.first else { return -1 }
        return Int32(clamping: max(first.at - Self.clock(), 0))
    }

    private func callTimers() {
        while let first = times.first, first.at <= now {
            times.removeFirst()
            guard let body = timers.removeValue(forKey: first.id) else { continue }
            body()
            if isLate { return }
        }
    }

    private func callSoon() {
        let bodies = soon
        soon = []
        roundEnd = time() + roundTime
        for (index, body) in bodies.enumerated() {
            guard index == 0 || !isLate else {
                soon.insert(contentsOf: bodies[index...], at: 0)
                return
            }
            body()
        }
    }

    /// The monotonic clock of everything in the daemon, which stops while the machine is suspended.
    static func clock() -> Milliseconds { promod_milliseconds(CLOCK_MONOTONIC) }
}

/// The times of timers, of which the earliest is first; of equal ones, that which was set first. A binary heap, because a thousand
/// clients may be leaving.
private struct TimerHeap {
    struct Entry {
        let at: Milliseconds
        let id: PollLoop.TimerID

        func precedes(_ other: Entry) -> Bool { (at, id) < (other.at, other.id) }
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        var place = entries.count
        entries.append(entry)
        while place > 0, entry.precedes(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while let child = [2 * place + 1, 2 * place + 2].filter({ $0 < entries.count })
            .min(by: { entries[$0].precedes(entries[$1]) }), entries[child].precedes(entries[place])
        {
            entries.swapAt(place, child)
            place = child
        }
    }

    mutating func keep(_ isKept: (Entry) -> Bool) {
        entries = entries.filter(isKept).sorted { $0.precedes($1) }
    }
}
