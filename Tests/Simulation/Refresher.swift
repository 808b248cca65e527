import PromoCore
import PromoTestSupport
import PromoWire
import Synchronization

/// What decides when a daemon asks the origin.
protocol Refresher {
    /// The time of the next attempt.
    var nextAt: Timestamp? { get }
    /// When the catalog that is held was fetched; nil if none is held.
    var fetchedAt: Timestamp? { get }

    /// The daemon started.
    mutating func started(now: Timestamp)
    /// The timer for the next attempt fired.
    /// - Returns: whether to ask the origin.
    mutating func timerFired(now: Timestamp) -> Bool
    /// Somebody looked at the list.
    /// - Returns: whether to ask the origin.
    mutating func looked(now: Timestamp) -> Bool
    /// A client asked for a refresh.
    /// - Returns: whether to ask the origin.
    mutating func refreshRequested(now: Timestamp) -> Bool
    /// The origin answered.
    mutating func answered(_ answer: Scenario.Answer, now: Timestamp)
}

/// promod's own schedule.
struct ScheduleRefresher: Refresher {
    private let policy: RefreshPolicy
    private let random: @Sendable (ClosedRange<Double>) -> Double
    private var schedule: RefreshSchedule

    init(_ daemon: Daemon, _ policy: RefreshPolicy) {
        self.policy = policy
        let generator = Generator(seed: daemon.seed)
        random = { generator.draw($0) }
        schedule = RefreshSchedule(
            policy: policy, hasOrigin: true, held: daemon.fetchedAt.map { .fetched($0) } ?? .nothing,
            now: daemon.fetchedAt ?? .event, random: random)
    }

    var nextAt: Timestamp? { schedule.next?.at }
    var fetchedAt: Timestamp? { if case .fetched(let time) = schedule.held { time } else { nil } }

    mutating func started(now: Timestamp) {
        schedule = RefreshSchedule(
            schedule.record, policy: policy, hasOrigin: true, held: schedule.held, now: now, random: random)
    }

    mutating func timerFired(now: Timestamp) -> Bool { schedule.timerFired(now: now) != nil }

    mutating func looked(now: Timestamp) -> Bool { schedule.answered(now: now) != nil }

    mutating func refreshRequested(now: Timestamp) -> Bool {
        if case .fetch = schedule.refreshRequested(now: now) { true } else { false }
    }

    mutating func answered(_ answer: Scenario.Answer, now: Timestamp) {
        switch answer {
        case .catalog: schedule.succeeded(.unchanged, isWhole: false, now: now)
        case .silence: fail(.timeout, nil, nil, now)
        case .notFound: fail(.notFound, 404, nil, now)
        case .unavailable(let retryAfter): fail(.unavailable, 503, retryAfter, now)
        }
    }

    private mutating func fail(_ code: ProblemCode, _ status: Int?, _ retryAfter: Duration?, _ now: Timestamp) {
        schedule.failed(Failure(code, "It failed."), status: status, retryAfter: retryAfter, now: now)
    }
}

/// A generator that a closure can share.
private final class Generator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func draw(_ range: ClosedRange<Double>) -> Double { generator.withLock { .random(in: range, using: &$0) } }
}

/// The usual design without randomness: when the catalog expires, and then every five minutes until it succeeds.
struct FixedRefresher: Refresher {
    private static let retryInterval = Duration.seconds(300)

    private let interval: Duration
    private(set) var nextAt: Timestamp?
    private(set) var fetchedAt: Timestamp?

    init(_ daemon: Daemon, _ policy: RefreshPolicy) {
        interval = policy.interval
        fetchedAt = daemon.fetchedAt
    }

    mutating func started(now: Timestamp) {
        nextAt = fetchedAt.map { $0 + interval } ?? now
    }

    mutating func timerFired(now: Timestamp) -> Bool { true }

    mutating func looked(now: Timestamp) -> Bool { false }

    mutating func refreshRequested(now: Timestamp) -> Bool { true }

    mutating func answered(_ answer: Scenario.Answer, now: Timestamp) {
        if case .catalog = answer {
            fetchedAt = now
            nextAt = now + interval
        } else {
            nextAt = now + Self.retryInterval
        }
    }
}
