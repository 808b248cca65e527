import Glibc
import PromoCore
import PromoTestSupport
import PromoWire
import Synchronization

/// One of the fleet, and its computer.
struct Daemon: Sendable {
    /// How many daemons are in the building.
    static let building = 2000

    let index: Int
    /// How long after the hour its user is there.
    let tardiness: Duration
    /// When its catalog was fetched before the simulation; nil if it has none.
    private(set) var fetchedAt: Timestamp?
    /// A random number from 0 to 1, for what the scenario spreads.
    let share: Double
    /// Where its further random numbers begin.
    let seed: UInt64

    var isInBuilding: Bool { index < Self.building }

    init(_ index: Int, in scenario: Scenario, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.index = index
        tardiness = .milliseconds(Int64.random(in: 0..<60_000, using: &generator))
        share = Double.random(in: 0...1, using: &generator)
        self.seed = generator.next()
        guard let ages = scenario.ages, let first = scenario.sessions(self).first else { return }
        fetchedAt = first.begin - ages.lowerBound - (ages.upperBound - ages.lowerBound) * share
    }
}

/// The life of one daemon with its schedule.
struct Life {
    private let daemon: Daemon
    private let random: @Sendable (ClosedRange<Double>) -> Double
    private var schedule: RefreshSchedule
    private var generator: SeededGenerator
    /// Whether the daemon had no fresh catalog at the event and has fetched none since.
    private var isBehind: Bool

    init(_ daemon: Daemon) {
        self.daemon = daemon
        let draws = Draws(seed: daemon.seed)
        random = { range in draws.generator.withLock { .random(in: range, using: &$0) } }
        schedule = RefreshSchedule(
            policy: RefreshPolicy(), hasOrigin: true, held: daemon.fetchedAt.map { .fetched($0) } ?? .nothing,
            now: daemon.fetchedAt ?? .event, random: random)
        generator = SeededGenerator(seed: ~daemon.seed)
        isBehind = schedule.isExpired(now: .event)
    }

    /// A generator that a closure can share.
    private final class Draws: Sendable {
        let generator: Mutex<SeededGenerator>

        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
    }

    /// Runs all sessions, and adds up their requests.
    mutating func run(_ scenario: Scenario, _ tally: inout Tally) {
        for session in scenario.sessions(daemon) { run(session, scenario, &tally) }
        if isBehind { tally.staysBehind() }
    }

    private mutating func run(_ session: Scenario.Session, _ scenario: Scenario, _ tally: inout Tally) {
        var now = session.begin
        if !session.isResumed {
            schedule = RefreshSchedule(
                schedule.record, policy: RefreshPolicy(), hasOrigin: true, held: schedule.held, now: now, random: random
            )
        }
        // An app that is started at login looks at once.
        var look = min(now + .seconds(5), session.end)
        var request = scenario.loop(daemon).map { max($0, now) } ?? session.end
        while true {
            let next = min(look, request)
            let isTimer = schedule.next.map { $0.at < next } ?? false
            now = max(now, isTimer ? schedule.next?.at ?? next : next)
            guard now < session.end else { return }
            let asks: Bool
            if isTimer {
                asks = schedule.timerFired(now: now) != nil
            } else if request < look {
                asks = if case .fetch = schedule.refreshRequested(now: now) { true } else { false }
                request = now + .seconds(10)
            } else {
                asks = schedule.answered(now: now) != nil
                // Once a day on average, as if people came independently of each other.
                look = now + .days(1) * -log(1 - Double.random(in: 0..<1, using: &generator))
            }
            if asks { now = ask(scenario, &tally, now: now) }
        }
    }

    /// Asks the origin, and returns when it has answered.
    private mutating func ask(_ scenario: Scenario, _ tally: inout Tally, now: Timestamp) -> Timestamp {
        tally.requested(at: now)
        switch scenario.answer(now) {
        case .catalog:
            let end = now + .milliseconds(100)
            schedule.succeeded(.unchanged, isWhole: false, now: end)
            if end < .event {
                isBehind = end + schedule.policy.interval <= .event
            } else if isBehind {
                isBehind = false
                tally.catchesUp(at: end)
            }
            return end
        case .silence:
            schedule.failed(Failure(.timeout, "It failed."), status: nil, retryAfter: nil, now: now + .seconds(10))
            return now + .seconds(10)
        case .unavailable(let retryAfter):
            let end = now + .milliseconds(100)
            schedule.failed(Failure(.unavailable, "It failed."), status: 503, retryAfter: retryAfter, now: end)
            return end
        }
    }
}
