import CLinux
import Glibc
import PromoCore

/// One thread's loop over epoll(7): it waits, calls those whose descriptors are ready, then what was left for later.
///
/// Everything here belongs to the thread that runs it; other threads come in through an ``Inbox``.
final class PollLoop {
    /// What a descriptor is ready for.
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: 0x001)
        static let output = Readiness(rawValue: 0x004)
        /// The other end is gone, or the descriptor is broken; reported unasked.
        static let broken = Readiness(rawValue: 0x008 | 0x010)
    }

    /// Somebody who has a descriptor.
    protocol Source: AnyObject {
        /// Called when the descriptor is ready.
        func ready(_ readiness: Readiness)
    }

    /// Names one timer.
    struct TimerID: Equatable, Sendable {
        fileprivate let number: Int
    }

    /// Few enough that nobody waits long for those who are served before.
    private static let batch = 64

    private let epoll: Int32
    /// By descriptor.
    private var sources: [(any Source)?] = []
    private var soon: [() -> Void] = []
    private var timers: [Int: () -> Void] = [:]
    private var deadlines = DeadlineQueue()
    private var lastTimer = 0
    private var isRunning = false

    /// The time at which the loop last stopped waiting.
    private(set) var now: Milliseconds = PollLoop.clock()

    init() throws(SystemError) {
        epoll = promod_epoll_create()
        guard epoll >= 0 else { throw SystemError("make an epoll descriptor for", "the socket") }
    }

    deinit {
        close(epoll)
    }

    // MARK: Descriptors

    /// Calls the source when the descriptor is ready, from now on and until it is ``remove(_:)``d.
    /// - Throws: ``SystemError`` if the kernel has no memory for it.
    func add(_ descriptor: Int32, _ source: any Source, for readiness: Readiness) throws(SystemError) {
        while sources.count <= Int(descriptor) { sources.append(nil) }
        guard promod_epoll_set(epoll, 1, descriptor, readiness.rawValue) == 0 else {
            throw SystemError("watch", "a connection")
        }
        sources[Int(descriptor)] = source
    }

    /// Calls the source for something else.
    func change(_ descriptor: Int32, to readiness: Readiness) {
        _ = promod_epoll_set(epoll, 3, descriptor, readiness.rawValue)
    }

    /// Calls it no more.
    func remove(_ descriptor: Int32) {
        _ = promod_epoll_set(epoll, 2, descriptor, 0)
        sources[Int(descriptor)] = nil
    }

    // MARK: Time

    /// Calls the body when those who are ready now have been called.
    func later(_ body: @escaping () -> Void) {
        soon.append(body)
    }

    /// Calls the body at a time, or soon after it.
    @discardableResult
    func schedule(at time: Milliseconds, _ body: @escaping () -> Void) -> TimerID {
        lastTimer += 1
        timers[lastTimer] = body
        deadlines.insert(lastTimer, at: time)
        return TimerID(number: lastTimer)
    }

    /// Does not call it.
    func cancel(_ timer: TimerID) {
        timers[timer.number] = nil
        // What was cancelled must not gather: most timers are, long before their time.
        if deadlines.count > 2 * timers.count + Self.batch { deadlines.keep { timers[$0] != nil } }
    }

    /// How many timers take up room, cancelled ones included.
    var waiting: Int { deadlines.count }

    // MARK: Running

    /// Waits and calls until ``stop()``.
    func run() {
        isRunning = true
        var ready = [promod_ready](repeating: promod_ready(), count: Self.batch)
        while isRunning {
            let count = Int(promod_epoll_wait(epoll, &ready, Int32(ready.count), timeout))
            now = Self.clock()
            // A count below 0 is a signal's doing.
            for index in 0..<max(count, 0) {
                let (descriptor, events) = (Int(ready[index].descriptor), ready[index].events)
                sources[descriptor]?.ready(Readiness(rawValue: events))
            }
            callTimers()
            callSoon()
        }
    }

    /// Ends ``run()`` when those who are ready have been called.
    func stop() {
        isRunning = false
    }

    private var timeout: Int32 {
        guard soon.isEmpty else { return 0 }
        guard let first = deadlines.first else { return -1 }
        return Int32(clamping: max(first - Self.clock(), 0))
    }

    private func callTimers() {
        while let timer = deadlines.removeFirst(upTo: now) { timers.removeValue(forKey: timer)?() }
    }

    private func callSoon() {
        let bodies = soon
        soon = []
        for body in bodies { body() }
    }

    private static func clock() -> Milliseconds { promod_monotonic_milliseconds() }
}
