import PromoCore
import PromoTestSupport
import PromoWire

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
    /// A client asked for a refresh.
    /// - Returns: whether to ask the origin.
    mutating func refreshRequested(now: Timestamp) -> Bool
    /// The origin answered.
    mutating func answered(_ answer: Scenario.Answer, now: Timestamp)
}

/// promod's own machine.
struct MachineRefresher: Refresher {
    private let policy: RefreshPolicy
    private var generator: SeededGenerator
    private var machine: RefreshMachine<SeededGenerator>

    init(_ daemon: Daemon, _ policy: RefreshPolicy) {
        self.policy = policy
        generator = SeededGenerator(seed: daemon.seed)
        machine = RefreshMachine(
            policy: policy, hasOrigin: true, fetchedAt: daemon.fetchedAt, schedule: RefreshSchedule(),
            now: daemon.fetchedAt ?? .event, generator: generator)
    }

    var nextAt: Timestamp? { machine.next?.at }
    var fetchedAt: Timestamp? { machine.fetchedAt }

    mutating func started(now: Timestamp) {
        machine = RefreshMachine(
            policy: policy, hasOrigin: true, fetchedAt: machine.fetchedAt, schedule: machine.schedule, now: now,
            generator: SeededGenerator(seed: generator.next()))
    }

    mutating func timerFired(now: Timestamp) -> Bool {
        machine.timerFired(elapsed: false, now: now) != .none
    }

    mutating func refreshRequested(now: Timestamp) -> Bool {
        if case .fetch = machine.refreshRequested(now: now) { true } else { false }
    }

    mutating func answered(_ answer: Scenario.Answer, now: Timestamp) {
        guard let id = machine.fetching else { return }
        _ = machine.fetchEnded(id, Self.end(answer), now: now)
    }

    private static func end(_ answer: Scenario.Answer) -> FetchEnd {
        switch answer {
        case .catalog: .unchanged
        case .silence: .failed(timeout, retryAfter: nil, isOffline: false)
        case .notFound: .failed(notFound, retryAfter: nil, isOffline: false, isGone: true)
        case .unavailable(let retryAfter): .failed(unavailable, retryAfter: retryAfter, isOffline: false)
        }
    }

    private static let timeout = Failure(.timeout, "The connection attempt timed out.")
    private static let notFound = Failure(.httpStatus, "The origin answers 404.")
    private static let unavailable = Failure(.httpStatus, "The origin answers 503.")
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
