import PromoCore
import PromoTestSupport
import PromoWire

/// A month of a daemon in simulated time: the machine, its file, its timers and its disturbances.
struct RefreshSimulation {
    /// The violated rules, of which the first is the one to look at.
    private(set) var violations: [String] = []
    /// The number of fetches that began.
    private(set) var attempts = 0
    /// The number of fetches that reached the origin.
    private(set) var requests = 0
    private(set) var disturbed = 0
    private(set) var origin: SimulatedOrigin

    private let policy = RefreshPolicy()
    private let disturbances: [Disturbance]
    private var generator: SeededGenerator
    private var clock = SimulatedClock()
    private var machine: Machine
    private var promises: OriginPromises
    private var disk = Disk()
    private var alarm: Alarm?
    private var current: Fetch?
    private var cancelled: [Fetch] = []
    private var disturbedAt: Duration
    /// The time awake at the last attempt.
    private var attemptedAt = Duration.zero

    private struct Disk {
        var schedule: [UInt8] = []
        var fetchedAt: Timestamp?
    }

    private struct Fetch {
        var id: Machine.FetchID
        var answer: SimulatedOrigin.Answer
        var endsAt: Duration
    }

    /// The timers for an appointment, one on the wall clock and one on the monotonic clock.
    private struct Alarm {
        var appointment: Machine.Appointment
        var elapsedAt: Duration

        func delay(_ clock: SimulatedClock) -> Duration {
            max(.zero, min(appointment.at - clock.now, elapsedAt - clock.awake))
        }
    }

    init(_ mood: SimulatedOrigin.Mood, _ disturbances: [Disturbance] = [], seed: UInt64) {
        self.disturbances = disturbances
        origin = SimulatedOrigin(mood)
        generator = SeededGenerator(seed: seed)
        machine = .started(policy, seed: generator.next())
        promises = OriginPromises(minimumGap: policy.minimumGap)
        disturbedAt = disturbances.isEmpty ? .days(10_000) : .zero
        settle()
    }

    mutating func run(_ span: Duration) {
        while clock.real < span && violations.isEmpty {
            let fetchDelay = current.map { max(.zero, $0.endsAt - clock.real) }
            let timerDelay = alarm?.delay(clock)
            let disturbanceDelay = max(.zero, disturbedAt - clock.real)
            let delay = min(fetchDelay ?? .days(10_000), timerDelay ?? .days(10_000), disturbanceDelay)
            clock.run(delay)
            if delay == fetchDelay {
                endFetch()
            } else if delay == timerDelay {
                fireTimer()
            } else {
                disturb()
            }
            settle()
        }
    }

    // MARK: The performer

    private mutating func begin(_ id: Machine.FetchID) {
        expect(current == nil, "two fetches at once")
        expect(machine.fetching == id && machine.next == nil, "a fetch that the machine does not know")
        violations += promises.broken(at: clock).map { "\($0), at \(clock.real)" }
        attempts += 1
        attemptedAt = clock.awake
        let answer = origin.answer(at: clock.real, using: &generator)
        if answer.isReached { requests += 1 }
        current = Fetch(id: id, answer: answer, endsAt: clock.real + answer.duration)
    }

    private mutating func endFetch() {
        guard let fetch = current else { return }
        current = nil
        let counted = machine.fetchEnded(fetch.id, fetch.answer.end, now: clock.now)
        expect(counted, "the end of the current fetch did not count")
        promises.attemptEnded(retryAfter: fetch.answer.retryAfter, at: clock)
    }

    private mutating func fireTimer() {
        guard let alarm else { return }
        let action = machine.timerFired(elapsed: clock.awake >= alarm.elapsedAt, now: clock.now)
        if let id = action.fetch { return begin(id) }
        expect(machine.next != alarm.appointment, "the timer fired without a fetch or a new plan")
    }

    /// Does what the daemon does after each event, and checks what must hold then.
    private mutating func settle() {
        disk.schedule = machine.schedule.fileBytes
        disk.fetchedAt = machine.fetchedAt.map { Timestamp(seconds: $0.milliseconds / 1000) }
        if machine.next != alarm?.appointment {
            promises.attemptWasPlanned(at: clock)
            alarm = machine.next.map { Alarm(appointment: $0, elapsedAt: clock.awake + ($0.at - clock.now)) }
            if let next = machine.next {
                let wait = next.at - clock.now
                expect(wait <= policy.interval + policy.spread + .minutes(5) + .seconds(1), "a wait of \(wait)")
            }
        }
        deliverStaleEnds()
        expect(machine.next != nil || machine.fetching != nil, "nothing is planned")
        expect((machine.fetching != nil) == (current != nil), "the machine is wrong about the fetch")
        let silence = clock.awake - attemptedAt
        expect(
            mayStretchTheDay || silence <= policy.interval + policy.spread + policy.backoff.cap,
            "no attempt for \(silence)")
    }

    private mutating func deliverStaleEnds() {
        for fetch in cancelled where fetch.endsAt <= clock.real {
            let (schedule, next) = (machine.schedule, machine.next)
            let counted = machine.fetchEnded(fetch.id, fetch.answer.end, now: clock.now)
            expect(!counted && machine.schedule == schedule && machine.next == next, "a stale end counted")
        }
        cancelled.removeAll { $0.endsAt <= clock.real }
    }

    private mutating func expect(_ condition: Bool, _ violation: @autoclosure () -> String) {
        if !condition { violations.append("\(violation()), at \(clock.real)") }
    }

    /// Whether a day may become longer, because a new plan on a clock that was set back does not know the time before.
    private var mayStretchTheDay: Bool {
        disturbances.contains(.clockSetBack) && disturbances.contains { Disturbance.replanning.contains($0) }
    }

    // MARK: Disturbances

    private mutating func disturb() {
        disturbed += 1
        // Disturbances often follow each other closely, so that they meet a fetch that is under way.
        let longest: Int64 = Int.random(in: 0..<3, using: &generator) == 0 ? 20_000 : 14_400_000
        disturbedAt = clock.real + .milliseconds(Int64.random(in: 0...longest, using: &generator))
        switch disturbances.randomElement(using: &generator) {
        case .suspend: clock.sleep(randomDuration(upTo: .hours(16)))
        case .clockSetForward: setClock(by: randomDuration(upTo: .days(400)))
        case .clockSetBack: setClock(by: .zero - randomDuration(upTo: .days(400)))
        case .restart: restart(isCrash: false)
        case .crash: restart(isCrash: true)
        case .networkAppears: machine.networkAppeared(now: clock.now)
        case .refreshByHand: refreshByHand()
        case .clear: clear()
        case .reload:
            machine.configured(policy, fetchedAt: machine.fetchedAt, now: clock.now)
        case .anotherOrigin: changeOrigin()
        case nil: break
        }
    }

    /// A random duration, short as often as long.
    private mutating func randomDuration(upTo longest: Duration) -> Duration {
        let exponent = Int.random(in: 0...30, using: &generator)
        return min(longest, .milliseconds(Int64.random(in: 0...(64 << Int64(exponent)), using: &generator)))
    }

    private mutating func setClock(by duration: Duration) {
        clock.set(by: duration)
        promises.clockWasSet(clock)
    }

    private mutating func restart(isCrash: Bool) {
        if !isCrash {
            machine.stopped(now: clock.now)
            if current != nil { promises.attemptCancelled(at: clock) }
            disk.schedule = machine.schedule.fileBytes
        }
        current = nil
        cancelled = []
        alarm = nil
        if Bool.random(using: &generator) { clock.run(randomDuration(upTo: .minutes(10))) }
        let schedule = RefreshSchedule(fileBytes: disk.schedule)
        expect(schedule != nil, "a schedule that cannot be read")
        machine = .started(
            policy, fetchedAt: disk.fetchedAt, schedule: schedule ?? RefreshSchedule(), now: clock.now,
            seed: generator.next())
    }

    private mutating func refreshByHand() {
        switch machine.refreshRequested(now: clock.now) {
        case .fetch(let id): begin(id)
        case .join: expect(current != nil || machine.isLoading, "a refresh joined a fetch that is none")
        case .refuse: expect(false, "a refresh was refused")
        case .throttle(let until):
            let wait = until - clock.now
            expect(current == nil && wait > .zero && wait <= .hours(24) + .seconds(1), "a throttle of \(wait)")
        }
    }

    private mutating func clear() {
        cancelFetch()
        machine.cleared(now: clock.now)
        expect(machine.fetchedAt == nil, "a catalog survived a clear")
    }

    private mutating func changeOrigin() {
        cancelFetch()
        promises = OriginPromises(minimumGap: policy.minimumGap)
        machine.originChanged(policy, schedule: RefreshSchedule(), fetchedAt: nil, now: clock.now)
    }

    private mutating func cancelFetch() {
        guard let fetch = current else { return }
        current = nil
        cancelled.append(fetch)
        promises.attemptCancelled(at: clock)
    }
}
